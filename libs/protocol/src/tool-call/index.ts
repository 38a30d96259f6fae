/**
 * One tool call: what it is, what may be done with it, who does what next. Owns the streams `toolcall-<callId>` and
 * keeps R1, R4, R6 to R9 and R16, with A1, A2, A4 to A7 in what it lets through. Whether a session's owner may act at
 * all is `turn`'s to say; whether a lease lives, `lease`'s.
 */
export * from './commands';
export { decideCall } from './decide';
export { abandonedResult, resolvedResult, type FixedResult } from './decide-doubt';
export { effectIfNeverBegun } from './decide-execution';
export { evolveCall, foldCall } from './evolve';
export * from './pending';
export { waitedForPersonMs } from './person-wait';
export * from './reconcile';
export * from './rejections';
export type { CallDecision } from './result-event';
export { effectFits, ranOutcomes, type Judged } from './result-table';
export {
  callFromStaged,
  termsOf,
  type AwaitingCall,
  type CallEventType,
  type CallState,
  type CallTerms,
  type HeldCall,
  type OpenCall,
  type PersonDecision,
  type PersonWait,
  type ReadyCall,
  type ReconcilingCall,
  type RecordedReadback,
  type RerunOrder,
  type RunningCall,
  type SettledCall,
  type SettledResult,
} from './state';
