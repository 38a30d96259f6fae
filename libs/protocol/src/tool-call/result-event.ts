import type { Effect, NewEvent, Outcome } from '@writ/contracts';
import type { PlainDraft, ResultDraft } from './commands';
import type { CallEventType, CallState } from './state';
import type { Decision } from '../decision';
import type { CallRejection } from './rejections';

export type CallDecision = Decision<NewEvent<CallEventType>, CallRejection>;

/** The one result event. It names the highest epoch, where anything was ever claimed (A5). */
export function resultEvent(state: CallState, result: ResultDraft): NewEvent<'ToolResultCommitted'> {
  const epoch = state.epochs.at(-1);
  const { outcome, effect, code, content, digest, readback } = result;
  return {
    type: 'ToolResultCommitted',
    data: {
      callId: state.callId,
      outcome,
      effect,
      ...(code !== undefined && { code }),
      content: [...content],
      digest,
      ...(epoch !== undefined && { epoch }),
      ...(readback !== undefined && { readback }),
    },
  };
}

export const withOutcome = (draft: PlainDraft, outcome: Outcome, effect: Effect = 'none'): ResultDraft => ({
  ...draft,
  outcome,
  effect,
});
