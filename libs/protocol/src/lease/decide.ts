import type { LeaseEndReason, NewEvent } from '@writ/contracts';
import { accepted, ignored, rejected, type Decision } from '../decision';
import type { LeaseRejection } from './rejections';
import type { LeaseState } from './state';

export type LeaseCommand =
  | { readonly type: 'Renew'; readonly instance: string; readonly ttlMs: number }
  /** `by`: an instance id, or `operator`. */
  | { readonly type: 'End'; readonly reason: LeaseEndReason; readonly by: string };
export type LeaseDecision = Decision<NewEvent<'LeaseRenewed' | 'LeaseEnded'>, LeaseRejection>;

/** Appended at `state.revision`, the revision last seen: a conflict means that the lease lives (protocol 7). */
export function decideLease(state: LeaseState, command: LeaseCommand): LeaseDecision {
  if (command.type === 'Renew') {
    if (state.status === 'ended') return rejected('lease_has_ended');
    if (command.instance !== state.instance) return rejected('renewal_must_be_the_holders');
    return accepted({ type: 'LeaseRenewed', data: { instance: state.instance, ttlMs: command.ttlMs } });
  }
  if (state.status === 'ended') return ignored('already_ended');
  if (command.reason === 'released' && command.by !== state.instance)
    return rejected('release_must_be_the_holders');
  const { reason, by } = command;
  return accepted({ type: 'LeaseEnded', data: { instance: state.instance, reason, by } });
}
