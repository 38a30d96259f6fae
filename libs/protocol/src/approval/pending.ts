/** What the approval-service owes one call; the same after a restart. */
import { millisOf } from '../time';
import type { CallState } from '../tool-call/state';

export type ApprovalWork =
  | { readonly do: 'request' }
  | { readonly do: 'wait'; readonly untilMs: number }
  | { readonly do: 'expire' }
  | { readonly do: 'nothing'; readonly reason: 'decided' | 'never_asked' | 'settled' };

/** `nowMs`: the approval-service's wall clock, the one that set the deadline. */
export function pendingApproval(state: CallState, nowMs: number): ApprovalWork {
  if (state.status === 'settled') return { do: 'nothing', reason: 'settled' };
  if (state.status !== 'awaiting_approval')
    return { do: 'nothing', reason: state.decision === undefined ? 'never_asked' : 'decided' };
  if (state.requested === undefined) return { do: 'request' };
  const untilMs = millisOf(state.requested.deadline);
  return nowMs > untilMs ? { do: 'expire' } : { do: 'wait', untilMs };
}
