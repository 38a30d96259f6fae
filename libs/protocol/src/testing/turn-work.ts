/** What specs of an owner's work have in common. */
import { leaseStream } from '@writ/contracts';
import type { CallCommand } from '../tool-call';
import type { AbandonReason, TurnWork } from '../turn';
import { claim } from './call-world';
import { owner } from './facts';
import { after } from './journal';
import { holding, round, type SessionWorld } from './session-world';

export const other = 'turn-orchestrator.o2#0';
/** Revision of the first staged call of a first round: opening, lease, turn and message come before it. */
const firstStaged = 4;

export const claimOf = (index: number, deadline = after(60_000)): CallCommand =>
  claim({ stagedRevision: firstStaged + index, deadline });
export const wake = (
  callId: string,
  index: number,
  because: 'ready' | 'holder_ended' = 'ready',
): TurnWork => ({
  do: 'wake_executor',
  callId,
  pool: 'default',
  stagedRevision: firstStaged + index,
  because,
});
/** A round of one call that its executor has claimed. */
export const running = (deadline?: string): SessionWorld =>
  round([{ callId: 'a' }]).call('a', claimOf(0, deadline));
/** The same session in the hands of `other`, whose predecessor's lease has ended. */
export const inherited = (world: SessionWorld): SessionWorld =>
  world.did({
    type: 'AcquireLease',
    instance: other,
    leaseEnded: { stream: leaseStream(owner), revision: 3 },
  });
export const abandon = (world: SessionWorld, callId: string, why: AbandonReason): SessionWorld =>
  world.did({
    type: 'AbandonCalls',
    ...holding(world, world.session.lease?.instance),
    callIds: [callId],
    why,
  });
export const failed = (world: SessionWorld, openCalls: readonly string[]): SessionWorld =>
  world.did({
    type: 'EndTurn',
    ...holding(world),
    turnId: 't1',
    openCalls,
    end: { type: 'TurnFailed', code: 'session_persistence_failed', message: 'm' },
  });
