import { leaseStream, type NewEvent } from '@writ/contracts';
import { accepted, ignored, rejected, type Decision } from '../decision';
import type {
  AbandonCalls,
  AcquireLease,
  CompactContext,
  EndTurn,
  Owner,
  ReleaseLease,
  SessionCommand,
  StartTurn,
} from './commands';
import { decideStep } from './decide-step';
import type { SessionRejection } from './rejections';
import { turnOfKey, type SessionEventType, type SessionState } from './state';

export type SessionDecision = Decision<NewEvent<SessionEventType>, SessionRejection>;

/** The one decider of a session. Its events are appended at `state.revision`, all in one append. */
export function decideSession(state: SessionState | undefined, command: SessionCommand): SessionDecision {
  if (command.type === 'OpenSession')
    return state === undefined
      ? accepted({ type: 'SessionOpened', data: command.session })
      : ignored('already_open');
  if (state === undefined) return rejected('session_must_be_open');
  switch (command.type) {
    case 'StartTurn':
      return decideStart(state, command);
    case 'AcquireLease':
      return decideAcquire(state, command);
    case 'ReleaseLease':
      return decideRelease(state, command);
    case 'AbandonCalls':
      return holds(state, command) ? decideAbandon(state, command) : rejected('lease_must_be_current');
    case 'RecordStep':
      return holds(state, command) ? decideStep(state, command) : rejected('lease_must_be_current');
    case 'EndTurn':
      return holds(state, command) ? decideEnd(state, command) : rejected('lease_must_be_current');
    case 'CompactContext':
      return holds(state, command) ? decideCompact(state, command) : rejected('lease_must_be_current');
  }
}

const holds = ({ lease }: SessionState, { instance, epoch }: Owner): boolean =>
  lease !== null && lease.instance === instance && lease.epoch === epoch;

/** `ignored('turn_exists')`: the same request again; `turnOfKey` has its turn. */
function decideStart(state: SessionState, command: StartTurn): SessionDecision {
  const { instance, turnId, input, idempotencyKey, requestDigest, budgets, openCalls } = command;
  if (idempotencyKey !== undefined) {
    const before = turnOfKey(state, idempotencyKey);
    if (before !== undefined)
      return before.requestDigest === requestDigest
        ? ignored('turn_exists')
        : rejected('idempotency_key_reused');
  }
  if (state.turn?.status === 'open') return rejected('turn_in_progress');
  if (openCalls.length > 0) return rejected('earlier_calls_open');
  if (state.lease !== null && state.lease.instance !== instance) return rejected('lease_must_be_current');
  const started: NewEvent<'TurnStarted'> = {
    type: 'TurnStarted',
    data: { turnId, input, requestDigest, budgets, ...(idempotencyKey !== undefined && { idempotencyKey }) },
  };
  if (state.lease !== null) return accepted(started);
  const { sessionId } = state;
  return accepted(
    { type: 'SessionLeaseAcquired', data: { sessionId, instance, why: 'turn_started' } },
    started,
  );
}

function decideAcquire(state: SessionState, { instance, leaseEnded }: AcquireLease): SessionDecision {
  const { sessionId, lease } = state;
  if (lease === null)
    return accepted({ type: 'SessionLeaseAcquired', data: { sessionId, instance, why: 'takeover' } });
  if (lease.instance === instance) return ignored('already_mine');
  if (leaseEnded?.stream !== leaseStream(lease.instance)) return rejected('lease_must_have_ended');
  const supersedes = { epoch: lease.epoch, leaseEnded };
  return accepted({
    type: 'SessionLeaseAcquired',
    data: { sessionId, instance, why: 'takeover', supersedes },
  });
}

function decideRelease(state: SessionState, command: ReleaseLease): SessionDecision {
  if (!holds(state, command)) return ignored('not_mine');
  const { instance, why } = command;
  return accepted({ type: 'SessionLeaseReleased', data: { sessionId: state.sessionId, instance, why } });
}

/** Only calls of the newest step can be open; the event names that step's turn, ended or not. */
function decideAbandon(state: SessionState, { callIds, why }: AbandonCalls): SessionDecision {
  const { step } = state;
  const known = (callId: string): boolean =>
    step?.callIds.includes(callId) === true && state.calls.get(callId)?.settledInSession === undefined;
  if (step === null || callIds.length === 0 || !callIds.every(known)) return rejected('calls_must_be_open');
  const fresh = callIds.filter((callId) => !state.abandoned.has(callId));
  if (fresh.length === 0) return ignored('already_abandoned');
  return accepted({ type: 'CallsAbandoned', data: { turnId: step.turnId, callIds: fresh, why } });
}

function decideEnd(state: SessionState, command: EndTurn): SessionDecision {
  const { turnId, end, openCalls, instance } = command;
  const { turn, step, sessionId } = state;
  if (turn?.turnId === turnId && turn.status !== 'open') return ignored('already_ended');
  if (turn?.turnId !== turnId) return rejected('turn_must_be_open');
  const asksForNothing = step?.turnId === turnId && step.callIds.length === 0;
  if (end.type === 'TurnCompleted' && (openCalls.length > 0 || !asksForNothing))
    return rejected('calls_must_be_settled');
  const ended = endEvent(turnId, end);
  if (openCalls.length > 0) return accepted(ended);
  return accepted(ended, { type: 'SessionLeaseReleased', data: { sessionId, instance, why: 'turn_ended' } });
}

function endEvent(
  turnId: string,
  end: EndTurn['end'],
): NewEvent<'TurnCompleted' | 'TurnFailed' | 'TurnInterrupted'> {
  switch (end.type) {
    case 'TurnCompleted':
      return { type: end.type, data: { turnId, finalText: end.finalText } };
    case 'TurnInterrupted':
      return { type: end.type, data: { turnId, reason: end.reason } };
    case 'TurnFailed': {
      const { code, cause, message } = end;
      return { type: end.type, data: { turnId, code, message, ...(cause !== undefined && { cause }) } };
    }
  }
}

/** R13: between rounds only, and the cut never lies inside a step's append. */
function decideCompact(state: SessionState, command: CompactContext): SessionDecision {
  const { throughRevision, summary, openCalls } = command;
  const inside = [...state.calls.values()].some(({ staged, settledInSession }) => {
    const last = settledInSession?.revision ?? staged.revision;
    return throughRevision < last && throughRevision >= staged.revision - 1 - staged.data.index;
  });
  const newer = throughRevision > (state.compacted?.throughRevision ?? -1);
  if (openCalls.length > 0 || inside || !newer || throughRevision > state.revision)
    return rejected('compaction_must_keep_rounds_whole');
  return accepted({ type: 'ContextCompacted', data: { throughRevision, summary } });
}
