/** Evidence that came too late: kept, never a second result (R4, R8). */
import { accepted, ignored, rejected } from '../decision';
import { protocolLimits } from '../limits';
import type { RecordLateDecision, RecordLateResult } from './commands';
import type { CallDecision } from './result-event';
import type { CallState } from './state';

export function decideLateResult(state: CallState, command: RecordLateResult): CallDecision {
  const { epoch, outcome, effect, content, digest } = command;
  const known = epoch === undefined || state.epochs.includes(epoch);
  const superseded = epoch !== undefined && epoch !== state.epochs.at(-1);
  if (!known || !(state.status === 'settled' || superseded)) return rejected('late_must_be_late');
  // The writer's own commit, learnt again after an append whose outcome was unknown.
  const isTheResult =
    state.status === 'settled' && state.result.digest === digest && state.result.epoch === epoch;
  if (isTheResult) return ignored('is_the_result');
  if (state.late.some((late) => late.digest === digest && late.epoch === epoch))
    return ignored('already_recorded');
  if (state.late.length >= protocolLimits.lateRecordsPerCall) return ignored('late_records_full');
  return accepted({
    type: 'LateResultRecorded',
    data: {
      callId: state.callId,
      ...(epoch !== undefined && { epoch }),
      ...{ outcome, effect, digest },
      content: [...content],
    },
  });
}

export function decideLateDecision(state: CallState, command: RecordLateDecision): CallDecision {
  if (state.status !== 'settled' && state.decision === undefined) return rejected('late_must_be_late');
  if (state.late.length >= protocolLimits.lateRecordsPerCall) return ignored('late_records_full');
  const { by, decidedAt, answer, comment } = command;
  return accepted({
    type: 'LateDecisionRecorded',
    data: { callId: state.callId, by, decidedAt, answer, ...(comment !== undefined && { comment }) },
  });
}
