import { streamPrefixes, type SessionWork, type WorkState, type WritEvent } from '@writ/contracts';
import { comparePositions } from '../position';
import { emptyById, entriesOf, findById, withEntry, withoutEntry } from './by-id';
import { doubtCalls, openCallOf, withCallEvent } from './open-call';

export const emptyWork = (): WorkState => ({
  position: '0',
  order: [],
  open: emptyById(),
  idle: emptyById(),
});

/**
 * The open work after one more event of the log, in log order. Sessions and calls count, and the end of a holder's
 * lease where lease streams are followed as well; an event at or before the state's position changes nothing.
 */
export function foldWork(state: WorkState, event: WritEvent): WorkState {
  if (comparePositions(event.position, state.position) <= 0) return state;
  const next = apply(state, event);
  return next === state ? state : { ...next, position: event.position };
}

function apply(state: WorkState, event: WritEvent): WorkState {
  if (event.type === 'SessionOpened') return openSession(state, event);
  if (event.type === 'LeaseEnded') return endLease(state, event);
  if (event.stream.startsWith(streamPrefixes.session)) {
    const sessionId = event.stream.slice(streamPrefixes.session.length);
    return update(state, sessionId, (session) => sessionAfter(session, event));
  }
  if (event.stream.startsWith(streamPrefixes.call)) {
    return update(state, event.metadata.$correlationId, (session) => withCallEvent(session, event));
  }
  return state;
}

function openSession(state: WorkState, event: WritEvent<'SessionOpened'>): WorkState {
  const { sessionId } = event.data;
  const { at } = event.metadata;
  const session: SessionWork = { sessionId, openedAt: at, lastEventAt: at, calls: [], settledCalls: 0 };
  return place({ ...state, order: [...state.order, sessionId] }, session);
}

function update(
  state: WorkState,
  sessionId: string,
  change: (session: SessionWork) => SessionWork,
): WorkState {
  const session = findById(state.open, sessionId) ?? findById(state.idle, sessionId);
  return session ? place(state, change(session)) : state;
}

/**
 * Puts a session among the open or the idle ones, wherever it now belongs. Idle is only what its owner has let go of:
 * one that died before it could leaves nothing open, but no turn can begin until another has taken over and let go.
 */
function place(state: WorkState, session: SessionWork): WorkState {
  const { sessionId } = session;
  const [open, idle] = [state.open, state.idle];
  return session.turn || session.calls.length > 0 || session.lease
    ? { ...state, open: withEntry(open, sessionId, inOrder(session)), idle: withoutEntry(idle, sessionId) }
    : { ...state, open: withoutEntry(open, sessionId), idle: withEntry(idle, sessionId, inOrder(session)) };
}

/** Keys in the order of the schema, so that a state read from its file goes on as the same bytes. */
function inOrder(session: SessionWork): SessionWork {
  const { sessionId, openedAt, lastEventAt, lease, turn, calls, settledCalls } = session;
  return { sessionId, openedAt, lastEventAt, lease, turn, calls, settledCalls };
}

function sessionAfter(session: SessionWork, event: WritEvent): SessionWork {
  const seen = { ...session, lastEventAt: event.metadata.at };
  switch (event.type) {
    case 'SessionLeaseAcquired':
      return { ...seen, lease: { instance: event.data.instance, epoch: event.revision } };
    case 'SessionLeaseReleased':
      return { ...seen, lease: undefined };
    case 'TurnStarted':
      return { ...seen, turn: { turnId: event.data.turnId, startedAt: event.metadata.at } };
    case 'TurnCompleted':
    case 'TurnFailed':
    case 'TurnInterrupted':
      return { ...seen, turn: undefined };
    case 'ToolCallStaged':
      return { ...seen, calls: [...session.calls, openCallOf(event)] };
    case 'ToolResultCommitted':
      return withCallEvent(session, event);
    default:
      return seen;
  }
}

/** Whoever held calls under that lease leaves them in doubt; a released lease left none. */
function endLease(state: WorkState, event: WritEvent<'LeaseEnded'>): WorkState {
  if (event.data.reason === 'released') return state;
  return entriesOf(state.open)
    .map((session) => doubtCalls(session, event))
    .filter((session) => session !== undefined)
    .reduce(place, state);
}
