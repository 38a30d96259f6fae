import { streamPrefixes, type WritEvent } from '@writ/contracts';
import { laterPosition } from '../position';
import { foldCallFacts, settle } from './call-facts';
import { emptyCall, type CallFacts, type StepFacts, type TranscriptState, type TurnFacts } from './state';

/**
 * The transcript after one more event of the session's stream or of one of its calls' streams. Each stream in its own
 * order; how the streams are interleaved does not matter, and an event seen before changes nothing (R14).
 */
export function foldTranscript(state: TranscriptState, event: WritEvent): TranscriptState {
  if (event.stream.startsWith(streamPrefixes.session)) return foldSessionEvent(state, event);
  if (event.stream.startsWith(streamPrefixes.call)) return foldCallEvent(state, event);
  return state;
}

function foldCallEvent(state: TranscriptState, event: WritEvent): TranscriptState {
  const callId = event.stream.slice(streamPrefixes.call.length);
  const next = updateCall(state, callId, (call) => foldCallFacts(call, event));
  return { ...next, position: laterPosition(state.position, event.position) };
}

function foldSessionEvent(state: TranscriptState, event: WritEvent): TranscriptState {
  if (event.revision <= state.revision) return state;
  const next = applySessionEvent(state, event);
  return { ...next, revision: event.revision, position: laterPosition(state.position, event.position) };
}

function applySessionEvent(state: TranscriptState, event: WritEvent): TranscriptState {
  switch (event.type) {
    case 'SessionOpened':
      return { ...state, opened: event };
    case 'TurnStarted':
      return { ...state, turns: [...state.turns, { started: event, steps: [] }] };
    case 'AssistantMessageRecorded':
      return updateTurn(state, event.data.turnId, (turn) => ({
        ...turn,
        steps: [...turn.steps, { message: event, calls: [] }],
      }));
    case 'ToolCallStaged':
      return stage(state, event);
    case 'ToolResultCommitted':
      return updateCall(state, event.data.callId, (call) => settle(call, event));
    case 'ContextCompacted':
      return { ...state, compacted: event };
    case 'TurnCompleted':
    case 'TurnFailed':
    case 'TurnInterrupted':
      return updateTurn(state, event.data.turnId, (turn) => ({ ...turn, end: event }));
    default:
      return state;
  }
}

function stage(state: TranscriptState, event: WritEvent<'ToolCallStaged'>): TranscriptState {
  const { callId, turnId, step } = event.data;
  const { [callId]: known, ...early } = state.early;
  const call: CallFacts = { ...(known ?? emptyCall(callId)), staged: event };
  const add = (of: StepFacts): StepFacts =>
    of.message.data.step === step ? { ...of, calls: [...of.calls, call] } : of;
  const next = updateTurn(state, turnId, (turn) => ({ ...turn, steps: turn.steps.map(add) }));
  return { ...next, early };
}

function updateTurn(
  state: TranscriptState,
  turnId: string,
  update: (turn: TurnFacts) => TurnFacts,
): TranscriptState {
  const at = state.turns.findLastIndex((turn) => turn.started.data.turnId === turnId);
  const turn = state.turns[at];
  return turn ? { ...state, turns: state.turns.with(at, update(turn)) } : state;
}

/** Looks from the newest step backwards: that is where calls change. */
function updateCall(
  state: TranscriptState,
  callId: string,
  update: (call: CallFacts) => CallFacts,
): TranscriptState {
  for (let t = state.turns.length - 1; t >= 0; t -= 1) {
    const turn = state.turns[t];
    const s = turn?.steps.findLastIndex((step) => step.calls.some((call) => call.callId === callId)) ?? -1;
    const step = turn?.steps[s];
    if (!turn || !step) continue;
    const calls = step.calls.map((call) => (call.callId === callId ? update(call) : call));
    return {
      ...state,
      turns: state.turns.with(t, { ...turn, steps: turn.steps.with(s, { ...step, calls }) }),
    };
  }
  const early = state.early[callId] ?? emptyCall(callId);
  return { ...state, early: { ...state.early, [callId]: update(early) } };
}
