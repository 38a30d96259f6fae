/** What a lease says to an observer and to its own holder, each by its own monotonic clock (protocol 7). */

/** The newest renewal that an observer has seen, and when it saw it. */
export interface LeaseSighting {
  readonly revision: number;
  readonly seenAtMs: number;
  /** It came while the observer was watching; a first sight alone proves nothing about now. */
  readonly seenToRenew: boolean;
}

export function sightLease(
  before: LeaseSighting | undefined,
  revision: number,
  monotonicMs: number,
): LeaseSighting {
  if (before !== undefined && revision <= before.revision) return before;
  return { revision, seenAtMs: monotonicMs, seenToRenew: before !== undefined };
}

/**
 * `unproven` is a lease that stood when it was first seen and has not been renewed since: it may be anything until a
 * renewal is seen or the time to live has passed. `silent`: the observer may end it.
 */
export function observedLease(
  sighting: LeaseSighting,
  nowMonotonicMs: number,
  ttlMs: number,
): 'live' | 'unproven' | 'silent' {
  if (nowMonotonicMs - sighting.seenAtMs >= ttlMs) return 'silent';
  return sighting.seenToRenew ? 'live' : 'unproven';
}

export interface OwnLease {
  /** When the last acknowledged renewal was sent. */
  readonly lastAckSentAtMs: number;
  readonly ttlMs: number;
  readonly marginMs: number;
}
/** Monotonic moment at which the holder stops by itself. */
export const stopsAtMs = (own: OwnLease): number => own.lastAckSentAtMs + own.ttlMs - own.marginMs;
export const mayAct = (own: OwnLease, nowMonotonicMs: number): boolean => nowMonotonicMs < stopsAtMs(own);
