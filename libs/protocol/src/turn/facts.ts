/** What an owner knows besides the streams. */
import type { HolderLease } from '../tool-call/pending';

export interface OwnerFacts {
  /** Instance id of whoever asks. */
  readonly instance: string;
  /** The owner's wall clock, milliseconds since 1970. */
  readonly nowMs: number;
  /**
   * `live`: a renewal was seen to arrive; `ended`: its `LeaseEnded` is on record; else `unknown`, which must turn into
   * one of the two within a lease's time to live.
   */
  readonly holderLease: (instanceId: string) => HolderLease;
  /** Milliseconds since this owner learnt that the lease had ended; 0 where it has not. */
  readonly endedForMs: (instanceId: string) => number;
  /** Milliseconds since this owner first saw the call run in its present epoch; 0 where it does not run. */
  readonly runningForMs: (callId: string) => number;
  /** Milliseconds during which no executor of the pool has renewed a lease; 0 while one does. */
  readonly unclaimedForMs: (pool: string) => number;
  /** An `InterruptRequested` that is meant for the newest turn. */
  readonly interruptRequested: boolean;
  readonly limits: { readonly commitGraceMs: number; readonly unclaimedMs: number };
}
