/** Why nothing of a round may start any more, and when that will be so. */
import { millisOf } from '../time';
import { waitedForPersonMs } from '../tool-call/person-wait';
import type { CallState } from '../tool-call/state';
import type { TurnEnd } from './commands';
import type { OwnerFacts } from './facts';
import { endOfPatience } from './patience';
import type { AbandonReason, SessionState, Step, TurnState } from './state';

export interface Stop {
  /** Undefined: calls may start. */
  readonly why?: AbandonReason;
  /** Moments, in wall milliseconds, at which time alone would stop the round. */
  readonly dueMs: readonly number[];
}

export interface RoundInTime {
  readonly turn: TurnState;
  readonly step: Step;
  readonly calls: readonly CallState[];
  readonly facts: OwnerFacts;
}

/** What has become true first in precedence: an ended turn, an interrupt, the turn's time, the round's time. */
export function stopOf({ turn, step, calls, facts }: RoundInTime): Stop {
  if (turn.status !== 'open')
    return { why: turn.status === 'interrupted' ? 'interrupted' : 'turn_failed', dueMs: [] };
  if (facts.interruptRequested) return { why: 'interrupted', dueMs: [] };
  const wallEndMs = wallEndOf(turn);
  if (facts.nowMs >= wallEndMs) return { why: 'wall_time', dueMs: [] };
  const roundEndMs = millisOf(step.at) + turn.budgets.roundTimeMs + waitedForPersonMs(calls, facts.nowMs);
  if (facts.nowMs >= roundEndMs) return { why: 'round_deadline', dueMs: [wallEndMs] };
  return { dueMs: [wallEndMs, roundEndMs] };
}

export const wallEndOf = (turn: TurnState): number => millisOf(turn.startedAt) + turn.budgets.wallTimeMs;

/** A turn that cannot go on once its round is complete; undefined: ask the model. */
export function endOfTurn(session: SessionState, turn: TurnState, facts: OwnerFacts): TurnEnd | undefined {
  const { step } = session;
  if (step?.turnId === turn.turnId && step.callIds.length === 0)
    return { type: 'TurnCompleted', finalText: step.text };
  if (facts.interruptRequested) return { type: 'TurnInterrupted', reason: 'interrupt_requested' };
  if (facts.nowMs >= wallEndOf(turn))
    return exhausted(`the turn's time of ${turn.budgets.wallTimeMs} ms is over`);
  if (turn.steps >= turn.budgets.steps) return exhausted(`all ${turn.budgets.steps} steps are used`);
  return endOfPatience(session, turn);
}

const exhausted = (message: string): TurnEnd => ({
  type: 'TurnFailed',
  code: 'budget_exhausted',
  message,
});
