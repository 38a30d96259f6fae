/** One model reply: message, staged calls and refused results as one append (R1, R4, R5, A3). */
import type { EventData, NewEvent } from '@writ/contracts';
import { accepted, rejected } from '../decision';
import { termsOf } from '../tool-call/state';
import type { RecordStep } from './commands';
import type { SessionRejection } from './rejections';
import type { SessionDecision } from './decide';
import type { SessionState } from './state';

/** The caller has checked that the writer holds the session. */
export function decideStep(state: SessionState, command: RecordStep): SessionDecision {
  const wrong = wrongStep(state, command) ?? wrongCalls(state, command);
  if (wrong !== undefined) return rejected(wrong);
  const { message, staged, refusedResults, instance } = command;
  const recorded: NewEvent<'AssistantMessageRecorded'> = { type: 'AssistantMessageRecorded', data: message };
  if (staged.length === 0) {
    const { turnId, text } = message;
    return accepted(
      recorded,
      { type: 'TurnCompleted', data: { turnId, finalText: text } },
      { type: 'SessionLeaseReleased', data: { sessionId: state.sessionId, instance, why: 'turn_ended' } },
    );
  }
  return accepted(
    recorded,
    ...staged.map((data): NewEvent<'ToolCallStaged'> => ({ type: 'ToolCallStaged', data })),
    ...refusedResults.map((data): NewEvent<'ToolResultCommitted'> => ({ type: 'ToolResultCommitted', data })),
  );
}

function wrongStep({ turn, step }: SessionState, { message }: RecordStep): SessionRejection | undefined {
  if (turn?.status !== 'open' || turn.turnId !== message.turnId) return 'turn_must_be_open';
  if (message.step !== turn.steps + 1) return 'step_must_be_next';
  if (message.step > turn.budgets.steps) return 'steps_must_fit_budget';
  const before = step?.callIds ?? [];
  const named = message.results.map(({ callId }) => callId);
  return sameList(before, named) ? undefined : 'results_must_be_complete';
}

function wrongCalls(state: SessionState, command: RecordStep): SessionRejection | undefined {
  const { message, staged, refusedResults } = command;
  const ids = new Set(staged.map(({ callId }) => callId));
  const inOrder = staged.every(
    (call, index) =>
      call.index === index &&
      call.sessionId === state.sessionId &&
      call.turnId === message.turnId &&
      call.step === message.step &&
      !state.calls.has(call.callId),
  );
  if (!inOrder || ids.size !== staged.length) return 'calls_must_be_staged_in_order';
  staged.filter(({ verdict }) => verdict !== 'refused').forEach(termsOf);
  const refused = staged.filter(({ verdict }) => verdict === 'refused').map(({ callId }) => callId);
  const answered = refusedResults.map(({ callId }) => callId);
  return sameList(refused, answered) && refusedResults.every(isRefusal)
    ? undefined
    : 'refusals_must_have_results';
}

const isRefusal = ({ outcome, effect, epoch }: EventData<'ToolResultCommitted'>): boolean =>
  outcome === 'refused' && effect === 'none' && epoch === undefined;

const sameList = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((value, index) => value === b[index]);
