/** Claim, refusal by the tool's own check, commit: a call's ordinary way (R1, R6, R8, R16). */
import type { Effect } from '@writ/contracts';
import { accepted, ignored, rejected } from '../decision';
import type { Claim, CommitResult, RefuseByCheck } from './commands';
import type { CallRejection } from './rejections';
import { resultEvent, withOutcome, type CallDecision } from './result-event';
import { effectFits, ranOutcomes } from './result-table';
import type { CallState, OpenCall, ReconcilingCall, RunningCall } from './state';

export function decideClaim(state: CallState, command: Claim): CallDecision {
  if (state.status === 'settled') return ignored('already_settled');
  const mismatch = claimMismatch(state, command);
  if (mismatch !== undefined) return rejected(mismatch);
  if (state.status === 'awaiting_approval') return rejected('approval_must_be_granted');
  if (state.status === 'held') return ignored('held');
  if (state.status !== 'ready')
    return ignored(state.holder === command.instance ? 'already_mine' : 'already_claimed');
  const { instance, sessionId, stagedRevision, pool, argsDigest, definitionDigest, deadline } = command;
  return accepted({
    type: 'ToolExecutionStarted',
    data: {
      callId: state.callId,
      ...{ sessionId, stagedRevision, instance, pool, argsDigest, definitionDigest },
      attempt: state.attempts + 1,
      idempotencyKey: state.terms.idempotencyKey,
      deadline,
    },
  });
}

function claimMismatch({ staged, terms }: OpenCall, command: Claim): CallRejection | undefined {
  if (command.sessionId !== staged.data.sessionId || command.stagedRevision !== staged.revision)
    return 'staged_event_must_match';
  if (command.pool !== terms.pool) return 'pool_must_match';
  if (command.argsDigest !== terms.argsDigest) return 'args_digest_must_match';
  return command.definitionDigest === terms.definitionDigest ? undefined : 'definition_must_match';
}

/** Only before a first start: a call that has run is refused no longer (A7), so its rerun is not asked again. */
export function decideRefuseByCheck(state: CallState, { result }: RefuseByCheck): CallDecision {
  if (state.status === 'settled') return ignored('already_settled');
  if (state.status === 'awaiting_approval') return rejected('approval_must_be_granted');
  if (state.status !== 'ready') return ignored('already_claimed');
  if (state.attempts > 0) return rejected('outcome_must_fit_state');
  return accepted(resultEvent(state, withOutcome(result, 'refused')));
}

export function decideCommit(state: CallState, command: CommitResult): CallDecision {
  if (state.status === 'settled') return ignored('already_settled');
  if (state.status !== 'running' && state.status !== 'reconciling') return rejected('epoch_must_be_current');
  if (state.epoch !== command.epoch || state.holder !== command.instance)
    return rejected('epoch_must_be_current');
  const wrong = state.status === 'running' ? wrongRun(state, command) : wrongReconciliation(state, command);
  return wrong === undefined ? accepted(resultEvent(state, command.result)) : rejected(wrong);
}

function wrongRun(state: RunningCall, { result }: CommitResult): CallRejection | undefined {
  const { outcome, effect, readback } = result;
  if (!ranOutcomes.has(outcome)) return 'outcome_must_fit_state';
  const { effectClass } = state.terms;
  const fits = effectFits({
    effectClass,
    outcome,
    effect,
    readback: readback?.effect,
    silentRun: state.silentRun,
  });
  if (!fits) return 'effect_must_fit_outcome';
  // `failed` may be the tool's own `NotApplied`, which speaks of the key and so of every attempt.
  const saysNeverBegan = outcome !== 'failed' && effect === 'none' && readback === undefined;
  return saysNeverBegan && effectIfNeverBegun(state) !== 'none' ? 'effect_must_fit_outcome' : undefined;
}

/**
 * The effect of a call whose current attempt never began. An idempotent tool is run again without asking, so what an
 * earlier attempt did is unknown; the other classes are run again only where it had done nothing (R9).
 */
export function effectIfNeverBegun({ terms, attempt }: RunningCall): Effect {
  return terms.effectClass === 'idempotent' && attempt > 1 ? 'unknown' : 'none';
}

function wrongReconciliation(state: ReconcilingCall, { result }: CommitResult): CallRejection | undefined {
  const { outcome, effect } = result;
  const readback = result.readback?.effect ?? state.readback?.effect;
  const { effectClass } = state.terms;
  if (!ranOutcomes.has(outcome)) return 'outcome_must_fit_state';
  if (outcome === 'succeeded' && readback !== 'applied') return 'outcome_must_fit_state';
  if (effectClass !== 'read' && effect === 'none' && readback !== 'not_applied')
    return 'effect_must_fit_outcome';
  return effectFits({ effectClass, outcome, effect, readback, silentRun: state.silentRun })
    ? undefined
    : 'effect_must_fit_outcome';
}
