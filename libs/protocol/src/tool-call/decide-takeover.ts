/** Takeover and what may follow it: readback, rerun, hold (R9). */
import { leaseStream } from '@writ/contracts';
import { accepted, ignored, rejected } from '../decision';
import type { HoldDoubt, RecordReadback, Rerun, TakeOver } from './commands';
import { mayStillRun, reconcile } from './reconcile';
import type { CallDecision } from './result-event';
import type { CallState, ReconcilingCall } from './state';

export function decideTakeOver(state: CallState, command: TakeOver): CallDecision {
  if (state.status === 'settled') return ignored('already_settled');
  if (state.status === 'held') return ignored('held');
  if (state.status !== 'running' && state.status !== 'reconciling') return ignored('not_started');
  const { instance, endedInstance, leaseEnded, reason } = command;
  if (state.holder === instance) return ignored('already_mine');
  if (state.holder !== endedInstance || leaseEnded.stream !== leaseStream(state.holder))
    return rejected('lease_must_be_the_holders');
  return accepted({
    type: 'ToolExecutionTakenOver',
    data: { callId: state.callId, instance, supersededEpoch: state.epoch, leaseEnded, holder: reason },
  });
}

/** The reconciling state, where the command's writer is the one who reconciles. */
function mine(
  state: CallState,
  writer: { readonly instance: string; readonly epoch: number },
): ReconcilingCall | undefined {
  const current =
    state.status === 'reconciling' && state.epoch === writer.epoch && state.holder === writer.instance;
  return current ? state : undefined;
}

export function decideReadback(state: CallState, command: RecordReadback): CallDecision {
  if (state.status === 'settled') return ignored('already_settled');
  const call = mine(state, command);
  if (call === undefined) return rejected('epoch_must_be_current');
  if (call.readback?.epoch === command.epoch) return ignored('already_read_back');
  const { epoch, effect, evidence, result } = command;
  return accepted({
    type: 'ReadbackRecorded',
    data: {
      callId: state.callId,
      epoch,
      effect,
      evidence,
      ...(result !== undefined && { result: [...result] }),
    },
  });
}

export function decideRerun(state: CallState, command: Rerun): CallDecision {
  if (state.status === 'settled') return ignored('already_settled');
  const { instance, epoch, deadline, definitionDigest, fenced } = command;
  if (state.status === 'running' && state.epoch === epoch && state.holder === instance)
    return ignored('already_running');
  const call = mine(state, command);
  if (call === undefined) return rejected('epoch_must_be_current');
  if (definitionDigest !== call.terms.definitionDigest) return rejected('definition_must_match');
  if (!mayStillRun(call)) return rejected('epochs_must_not_be_used_up');
  const { effectClass, pool, argsDigest, idempotencyKey, onDoubt } = call.terms;
  // Whether a readback should have been asked first is the executor's to know; whether one is needed, R9's.
  const tool = { effectClass, fenced, hasReadback: false, sameDefinition: true };
  if (reconcile(call, tool, onDoubt).do !== 'run_again') return rejected('rerun_must_be_allowed');
  return accepted({
    type: 'ToolExecutionStarted',
    data: {
      callId: call.callId,
      sessionId: call.sessionId,
      stagedRevision: call.staged.revision,
      ...{ instance, pool, argsDigest, definitionDigest },
      attempt: call.attempts + 1,
      ...{ epoch, idempotencyKey, deadline },
    },
  });
}

export function decideHold(state: CallState, command: HoldDoubt): CallDecision {
  if (state.status === 'settled') return ignored('already_settled');
  const { instance, epoch, deadline, evidence } = command;
  if (state.status === 'held' && state.epoch === epoch) return ignored('already_held');
  const call = mine(state, { instance, epoch });
  if (call === undefined) return rejected('epoch_must_be_current');
  if (call.terms.onDoubt !== 'hold_for_person' || call.terms.effectClass === 'read')
    return rejected('hold_must_be_policy');
  return accepted({
    type: 'DoubtHeld',
    data: { callId: call.callId, epoch, deadline, evidence: [...evidence] },
  });
}
