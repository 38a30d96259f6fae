/** Results that no run produced: a person's resolution, and what the owner has abandoned. */
import type { ContentPart, Effect, Outcome, Readback, ReadbackEffect } from '@writ/contracts';
import { protocolLimits } from '../limits';
import { accepted, ignored, rejected } from '../decision';
import type { ResolveDoubt, SettleAbandoned } from './commands';
import { resultEvent, type CallDecision } from './result-event';
import { doubtfulEffect } from './result-table';
import type { CallState } from './state';

export interface FixedResult {
  readonly outcome: Outcome;
  readonly effect: Effect;
  /** The evidence that decided the effect; goes into the result. */
  readonly readback?: Readback;
  /** What the readback says that the run would have returned. */
  readonly content?: readonly ContentPart[];
}

/** Which result a person's word on a held call gives where nothing is run again. */
export function resolvedResult(effect: ReadbackEffect): {
  readonly outcome: Outcome;
  readonly effect: Effect;
} {
  if (effect === 'applied') return { outcome: 'succeeded', effect: 'applied' };
  return effect === 'not_applied'
    ? { outcome: 'failed', effect: 'none' }
    : { outcome: 'unknown', effect: 'unknown' };
}

export function decideResolve(state: CallState, command: ResolveDoubt): CallDecision {
  if (state.status === 'settled') return rejected('already_settled');
  if (state.status !== 'held') return rejected('doubt_must_be_held');
  const { by, authentication, effect, evidence, rerun } = command;
  const resolved = {
    type: 'DoubtResolved' as const,
    data: { callId: state.callId, by, authentication, effect, evidence, rerun },
  };
  if (command.rerun) {
    if (effect !== 'not_applied') return rejected('rerun_must_be_not_applied');
    // The rerun is a claim and takes an epoch of its own.
    if (state.epochs.length >= protocolLimits.epochsPerCall) return rejected('epochs_must_not_be_used_up');
    return accepted(resolved);
  }
  const due = resolvedResult(effect);
  if (command.result.outcome !== due.outcome) return rejected('outcome_must_fit_state');
  if (command.result.effect !== due.effect) return rejected('effect_must_fit_outcome');
  return accepted(resolved, resultEvent(state, command.result));
}

/** What the owner settles a call with once its abandonment is on record; `undefined` while somebody else holds it. */
export function abandonedResult(state: CallState, owner: string): FixedResult | undefined {
  switch (state.status) {
    case 'awaiting_approval':
      return { outcome: 'skipped', effect: 'none' };
    case 'ready':
      // A call that a person wants run again has been started before: it was not skipped (A7).
      return state.order === undefined
        ? { outcome: 'skipped', effect: 'none' }
        : {
            outcome: 'unknown',
            effect: 'none',
            readback: { effect: 'not_applied', evidence: state.order.evidence },
          };
    case 'held':
      return inDoubt(state);
    case 'reconciling':
      return state.holder === owner ? inDoubt(state) : undefined;
    default:
      return undefined;
  }
}

function inDoubt(state: CallState & { readonly status: 'held' | 'reconciling' }): FixedResult {
  const { readback, terms, holderWas } = state;
  const effect = doubtfulEffect(terms.effectClass, readback, holderWas !== 'silent');
  return {
    outcome: effect === 'applied' ? 'succeeded' : 'unknown',
    effect,
    ...(readback !== undefined && { readback: { effect: readback.effect, evidence: readback.evidence } }),
    ...(readback?.result !== undefined && { content: readback.result }),
  };
}

export function decideSettleAbandoned(state: CallState, command: SettleAbandoned): CallDecision {
  if (state.status === 'settled') return ignored('already_settled');
  const due = abandonedResult(state, command.instance);
  if (due === undefined) return rejected('holder_must_settle');
  if (command.result.outcome !== due.outcome) return rejected('outcome_must_fit_state');
  if (command.result.effect !== due.effect) return rejected('effect_must_fit_outcome');
  return accepted(resultEvent(state, command.result));
}
