/** How a session follows its events. Asserts that an event fits; what may happen is `decideSession`'s to say. */
import { sessionStream, type WritEvent } from '@writ/contracts';
import { assert } from '../assert';
import { failedReplies } from './patience';
import type { SessionEventType, SessionState, StagedCall, TurnState } from './state';

/** The same with its own maps, so that a long stream folds without a copy per event. */
type Draft = { -readonly [K in keyof SessionState]: SessionState[K] } & {
  turns: Map<string, TurnState>;
  turnOfKey: Map<string, string>;
  calls: Map<string, StagedCall>;
  abandoned: Map<string, SessionState['abandoned'] extends ReadonlyMap<string, infer W> ? W : never>;
};

export function foldSession(events: readonly WritEvent[]): SessionState {
  const [first, ...rest] = events;
  assert(first !== undefined, 'a session without events');
  return follow(openSession(first), rest);
}

/** `undefined`: the session is not open yet, and the event opens it. */
export function evolveSession(state: SessionState | undefined, event: WritEvent): SessionState {
  return state === undefined ? openSession(event) : follow(state, [event]);
}

function openSession(event: WritEvent): SessionState {
  assert(event.type === 'SessionOpened', `a session begins with ${event.type}`);
  assert(event.revision === 0, 'a session does not begin at revision 0');
  assert(event.metadata.predecessor === null, 'the first event names a predecessor');
  assert(event.stream === sessionStream(event.data.sessionId), 'an event of another session');
  return {
    sessionId: event.data.sessionId,
    opened: { ...event.data, at: event.metadata.at },
    toolsetConfig: event.data.toolsetConfig ?? null,
    revision: 0,
    lastDigest: event.metadata.digest,
    lease: null,
    turn: null,
    turns: new Map(),
    turnOfKey: new Map(),
    replies: 0,
    step: null,
    calls: new Map(),
    abandoned: new Map(),
    compacted: null,
  };
}

function follow(state: SessionState, events: readonly WritEvent[]): SessionState {
  const draft: Draft = {
    ...state,
    turns: new Map(state.turns),
    turnOfKey: new Map(state.turnOfKey),
    calls: new Map(state.calls),
    abandoned: new Map(state.abandoned),
  };
  for (const event of events) {
    assert(event.stream === sessionStream(draft.sessionId), 'an event of another session');
    assert(event.revision === draft.revision + 1, `revision ${event.revision} after ${draft.revision}`);
    assert(event.metadata.predecessor === draft.lastDigest, 'an event names another predecessor');
    apply(draft, event);
    draft.revision = event.revision;
    draft.lastDigest = event.metadata.digest;
  }
  return draft;
}

function apply(draft: Draft, event: WritEvent): void {
  if (event.type === 'SessionLeaseAcquired') return applyAcquired(draft, event);
  assertOwner(draft, event);
  switch (event.type) {
    case 'SessionLeaseReleased':
      draft.lease = null;
      return;
    case 'TurnStarted':
      return applyTurnStarted(draft, event);
    case 'AssistantMessageRecorded':
      return applyMessage(draft, event);
    case 'ToolCallStaged':
      return applyStaged(draft, event);
    case 'ToolResultCommitted':
      return applyRefused(draft, event);
    case 'CallsAbandoned':
      for (const callId of event.data.callIds) {
        assert(draft.calls.has(callId), 'a call was abandoned that was not staged');
        draft.abandoned.set(callId, event.data.why);
      }
      return;
    case 'ContextCompacted':
      draft.compacted = { throughRevision: event.data.throughRevision, summary: event.data.summary };
      return;
    case 'TurnCompleted':
    case 'TurnFailed':
    case 'TurnInterrupted':
      return applyTurnEnd(draft, event);
    default:
      assert(false, `a session's stream holds ${event.type}`);
  }
}

/** One writer at a time (A5, I7): whoever names itself in an event holds the session. */
function assertOwner(draft: Draft, event: WritEvent): void {
  const { lease } = draft;
  assert(lease !== null, `${event.type} while nobody holds the session`);
  const { instance, epoch } = event.metadata.actor;
  assert(instance === undefined || instance === lease.instance, `${event.type} by another than the holder`);
  assert(epoch === undefined || epoch === lease.epoch, `${event.type} under another epoch`);
}

function applyAcquired(draft: Draft, event: WritEvent<'SessionLeaseAcquired'>): void {
  const { instance, why, supersedes } = event.data;
  assert(supersedes?.epoch === draft.lease?.epoch, 'a lease supersedes another epoch than the current one');
  draft.lease = { instance, epoch: event.revision, why, acquiredAt: event.metadata.at };
}

function applyTurnStarted(draft: Draft, event: WritEvent<'TurnStarted'>): void {
  const { turnId, idempotencyKey, requestDigest, input, budgets } = event.data;
  assert(draft.turn?.status !== 'open', 'a turn started inside another');
  assert(!draft.turns.has(turnId), 'a turn started twice');
  const key = idempotencyKey === undefined ? {} : { idempotencyKey };
  setTurn(draft, {
    ...{ turnId, ...key, requestDigest, input, budgets },
    startedAt: event.metadata.at,
    steps: 0,
    failedBefore: 0,
    status: 'open',
  });
  if (idempotencyKey !== undefined) draft.turnOfKey.set(idempotencyKey, turnId);
}

function setTurn(draft: Draft, turn: TurnState): void {
  draft.turn = turn;
  draft.turns.set(turn.turnId, turn);
}

function openTurn(draft: Draft, turnId: string, what: string): TurnState & { readonly status: 'open' } {
  const { turn } = draft;
  assert(turn?.status === 'open' && turn.turnId === turnId, `${what} outside its turn`);
  return turn;
}

function applyMessage(draft: Draft, event: WritEvent<'AssistantMessageRecorded'>): void {
  const { turnId, step, text } = event.data;
  const turn = openTurn(draft, turnId, 'a message');
  assert(step === turn.steps + 1, 'a step out of order');
  setTurn(draft, { ...turn, steps: step, failedBefore: failedReplies(draft, turn) });
  draft.replies += 1;
  draft.toolsetConfig = event.data.toolsetConfig ?? draft.toolsetConfig;
  draft.step = { turnId, step, revision: event.revision, at: event.metadata.at, text, callIds: [] };
}

function applyStaged(draft: Draft, event: WritEvent<'ToolCallStaged'>): void {
  const { callId, turnId, step, index, sessionId } = event.data;
  const current = draft.step;
  assert(sessionId === draft.sessionId, 'a call of another session');
  assert(current?.turnId === turnId && current.step === step, 'a call outside its step');
  assert(index === current.callIds.length, 'a call out of order');
  assert(!draft.calls.has(callId), 'a call was staged twice');
  draft.calls.set(callId, { staged: event });
  draft.step = { ...current, callIds: [...current.callIds, callId] };
}

function applyRefused(draft: Draft, event: WritEvent<'ToolResultCommitted'>): void {
  const call = draft.calls.get(event.data.callId);
  assert(
    call?.staged.data.verdict === 'refused',
    'a session holds the result of a call that was not refused',
  );
  assert(call.settledInSession === undefined, 'a call was refused twice');
  draft.calls.set(event.data.callId, { ...call, settledInSession: event });
}

function applyTurnEnd(
  draft: Draft,
  event: WritEvent<'TurnCompleted' | 'TurnFailed' | 'TurnInterrupted'>,
): void {
  const { status: _, ...facts } = openTurn(draft, event.data.turnId, event.type);
  const endedAt = event.metadata.at;
  if (event.type === 'TurnCompleted')
    return setTurn(draft, { ...facts, status: 'completed', finalText: event.data.finalText, endedAt });
  if (event.type === 'TurnInterrupted')
    return setTurn(draft, { ...facts, status: 'interrupted', reason: event.data.reason, endedAt });
  const { code, cause, message } = event.data;
  const failure = { code, message, ...(cause !== undefined && { cause }) };
  setTurn(draft, { ...facts, status: 'failed', failure, endedAt });
}

export type SessionEvent = WritEvent<SessionEventType>;
