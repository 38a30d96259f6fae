/** What the owner does about one open call: protocol 6's table. */
import { assert } from '../assert';
import { millisOf } from '../time';
import { abandonedResult } from '../tool-call/decide-doubt';
import type {
  AwaitingCall,
  HeldCall,
  OpenCall,
  ReadyCall,
  ReconcilingCall,
  RunningCall,
} from '../tool-call/state';
import type { OwnerFacts } from './facts';
import type { AbandonReason, SessionState } from './state';
import type { TurnWork } from './work';

export interface CallContext {
  readonly session: SessionState;
  readonly facts: OwnerFacts;
  /** Why nothing of the round may start any more. */
  readonly stop: AbandonReason | undefined;
  /** R12: the earliest segment that is not settled; later ones wait. */
  readonly segment: number;
  /** Wall milliseconds since which that segment could be dispatched by this owner. */
  readonly segmentSinceMs: number;
  /** R10: a new owner wakes nothing new while a started call of its predecessor's hangs in the air. */
  readonly settlesFirst: boolean;
}

export interface CallWork {
  readonly work: readonly TurnWork[];
  /** To be abandoned, gathered into one event per reason. */
  readonly abandon?: AbandonReason;
  /** Wall milliseconds at which time alone changes this. */
  readonly dueMs?: number;
}
const nothing: CallWork = { work: [] };

export function workOnCall(call: OpenCall, context: CallContext): CallWork {
  switch (call.status) {
    case 'ready':
    case 'awaiting_approval':
      return workOnUnstarted(call, context);
    case 'held':
      return workOnHeld(call, context);
    case 'running':
    case 'reconciling':
      return workOnStarted(call, context);
  }
}

function settle(call: OpenCall, context: CallContext, why: AbandonReason): CallWork {
  const result = abandonedResult(call, context.facts.instance);
  assert(result !== undefined, 'an owner holds a call that it cannot settle');
  return { work: [{ do: 'settle_abandoned', callId: call.callId, outcome: result.outcome, why }] };
}

function workOnUnstarted(call: ReadyCall | AwaitingCall, context: CallContext): CallWork {
  const { session, facts, stop, segment, settlesFirst } = context;
  const abandoned = session.abandoned.get(call.callId);
  if (abandoned !== undefined) return settle(call, context, abandoned);
  if (stop !== undefined) return { work: [], abandon: stop };
  if (call.terms.segment !== segment || settlesFirst) return nothing;
  const { callId } = call;
  const stagedRevision = call.staged.revision;
  if (call.status === 'awaiting_approval') {
    const deadlineMs = call.requested && millisOf(call.requested.deadline);
    if (deadlineMs !== undefined && facts.nowMs <= deadlineMs) return { work: [], dueMs: deadlineMs + 1 };
    return { work: [{ do: 'wake_approvals', callId, stagedRevision }] };
  }
  const { pool } = call.terms;
  // An idle pool renews nothing (protocol 7): only from when the call could be claimed does its silence say anything.
  const readySinceMs = Math.max(
    context.segmentSinceMs,
    ...call.waits.map(({ to }) => (to ? millisOf(to) : 0)),
  );
  const unclaimedForMs = Math.min(facts.unclaimedForMs(pool), facts.nowMs - readySinceMs);
  const leftMs = facts.limits.unclaimedMs - unclaimedForMs;
  if (leftMs <= 0) return { work: [], abandon: 'unclaimed' };
  return {
    work: [{ do: 'wake_executor', callId, pool, stagedRevision, because: 'ready' }],
    dueMs: facts.nowMs + leftMs,
  };
}

function workOnHeld(call: HeldCall, context: CallContext): CallWork {
  const { session, facts, stop } = context;
  const abandoned = session.abandoned.get(call.callId);
  if (abandoned !== undefined) return settle(call, context, abandoned);
  // A held call keeps its turn open past every budget: only a person, its own deadline or an interrupt ends the wait.
  if (stop === 'interrupted') return { work: [], abandon: 'interrupted' };
  const deadlineMs = millisOf(call.deadline);
  return facts.nowMs >= deadlineMs ? { work: [], abandon: 'hold_expired' } : { work: [], dueMs: deadlineMs };
}

function workOnStarted(call: RunningCall | ReconcilingCall, context: CallContext): CallWork {
  const { session, facts, stop } = context;
  const abandoned = session.abandoned.get(call.callId);
  if (call.holder === facts.instance)
    return abandoned === undefined ? { work: [], abandon: 'holder_lost' } : settle(call, context, abandoned);
  if (facts.holderLease(call.holder) === 'ended') return workOnOrphan(call, context, abandoned);
  const dueMs = call.status === 'running' ? facts.nowMs + commitLeftMs(call, facts) : undefined;
  const work: TurnWork[] = [];
  if (stop !== undefined && stop !== 'turn_failed')
    work.push({
      do: 'cancel',
      callId: call.callId,
      reason: stop === 'interrupted' ? 'interrupt' : 'round_deadline',
    });
  return { work, ...(dueMs !== undefined && { dueMs }) };
}

/** A started call whose holder's lease has ended: any executor's, until the bound; then the owner's. */
function workOnOrphan(
  call: RunningCall | ReconcilingCall,
  context: CallContext,
  abandoned: AbandonReason | undefined,
): CallWork {
  const { facts, stop } = context;
  const { callId, holder } = call;
  const { pool } = call.terms;
  const { unclaimedMs } = facts.limits;
  const endedForMs = facts.endedForMs(holder);
  const poolLeftMs = unclaimedMs - Math.min(facts.unclaimedForMs(pool), endedForMs);
  // Where the round is over, executors that live but cannot take it must not keep it open for ever.
  const overLeftMs = stop === undefined ? Number.POSITIVE_INFINITY : unclaimedMs - endedForMs;
  const leftMs = Math.min(poolLeftMs, overLeftMs);
  // `holder_lost` on record: this owner or the one before had come to the bound already (H4).
  if (leftMs <= 0 || abandoned === 'holder_lost')
    return abandoned === undefined
      ? { work: [], abandon: 'holder_lost' }
      : { work: [{ do: 'take_over', callId, endedInstance: holder }] };
  const stagedRevision = call.staged.revision;
  return {
    work: [{ do: 'wake_executor', callId, pool, stagedRevision, because: 'holder_ended' }],
    dueMs: facts.nowMs + leftMs,
  };
}

/**
 * R3: how long the result may still take, 0 or less once it counts as lost. The deadline on record is of the holder's
 * wall clock, which is never compared with another's (protocol 7): the owner counts the call's time from when it first
 * saw it run, and so does an owner that took the session over.
 */
export function commitLeftMs({ callId, terms }: RunningCall, facts: OwnerFacts): number {
  return terms.timeoutMs + facts.limits.commitGraceMs - facts.runningForMs(callId);
}
