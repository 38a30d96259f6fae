/**
 * Open work: sessions, open turns and calls, pending approvals and doubts, as one fold (protocol 2, Projections). Its
 * state is a local file; rebuilt from position zero it is the same byte for byte. Settled calls leave a count.
 */
export { emptyWork, foldWork } from './fold';
export {
  inDoubt,
  openSessions,
  pendingApprovals,
  sessionItems,
  unclaimed,
  type CallAt,
  type SessionPage,
  type UnclaimedCall,
} from './lists';
