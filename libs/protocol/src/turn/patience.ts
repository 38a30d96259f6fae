/** How often a model may send what cannot be run before its turn ends (a turn that costs and never gets anywhere). */
import { protocolLimits } from '../limits';
import { faultsOfModel } from '../tool-round';
import type { TurnEnd } from './commands';
import type { SessionState, TurnState } from './state';

type Recorded = Pick<SessionState, 'step' | 'calls'>;

/** Replies in a row, up to the newest of the turn, of which nothing could run for what the model sent. */
export function failedReplies({ step, calls }: Recorded, turn: TurnState): number {
  if (step === null || step.turnId !== turn.turnId || step.callIds.length === 0) return 0;
  const codes = step.callIds.map((callId) => calls.get(callId)?.settledInSession?.data.code);
  return codes.every((code) => code !== undefined && faultsOfModel.has(code)) ? turn.failedBefore + 1 : 0;
}

/** Once every call of the newest step is settled; undefined where the model may be asked again. */
export function endOfPatience(session: SessionState, turn: TurnState): TurnEnd | undefined {
  const failed = failedReplies(session, turn);
  if (failed < protocolLimits.failedReplies) return undefined;
  const codes = (session.step?.callIds ?? []).map(
    (callId) => session.calls.get(callId)?.settledInSession?.data.code,
  );
  const last = [...new Set(codes)].join(', ');
  const message = `nothing that the model asked for in ${failed} replies in a row could be run; the last time: ${last}`;
  return { type: 'TurnFailed', code: 'model_failed', message };
}
