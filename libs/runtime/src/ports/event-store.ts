import type { EventType, RecordedEvent } from '@writ/contracts';

/** The revision that the stream must have; there is no `any` (protocol 5). */
export type ExpectedRevision = number | 'no_stream';

/** An event ready to be stored. `id` is random, minted once per append and kept for its repeats. */
export interface EventToAppend {
  readonly id: string;
  readonly type: EventType;
  readonly data: unknown;
  readonly metadata: unknown;
}

export type StoreCause = 'store_unavailable' | 'store_timeout';

/**
 * What became of an append. `acknowledged.revision` is that of its last event; `repeated` says that success was only
 * learnt by asking again: the events *were written*, which does not say that they are still the newest (protocol 5).
 * `refused` means that nothing was sent and nothing is stored.
 */
export type AppendOutcome =
  | {
      readonly outcome: 'acknowledged';
      readonly revision: number;
      /** Log position of the last event, where the store told it; repeats need not. */
      readonly position?: string;
      readonly repeated: boolean;
    }
  | { readonly outcome: 'conflict'; readonly actual: ExpectedRevision | 'not_told' }
  | { readonly outcome: 'unknown'; readonly cause: StoreCause }
  | { readonly outcome: 'refused'; readonly cause: 'append_too_large' };

export type ReadOutcome =
  | { readonly outcome: 'events'; readonly events: readonly RecordedEvent[] }
  | { readonly outcome: 'not_found' }
  | { readonly outcome: 'unavailable'; readonly cause: StoreCause };

export interface ReadStreamOptions {
  readonly direction: 'forwards' | 'backwards';
  /** Inclusive; `start` and `end` are the ends of the stream. */
  readonly from: number | 'start' | 'end';
  readonly maxCount: number;
}

export interface ReadAllOptions {
  readonly direction: 'forwards' | 'backwards';
  /** Inclusive. */
  readonly from: string | 'start' | 'end';
  readonly maxCount: number;
}

export interface FollowOptions {
  /** One stream, or everything in streams whose names begin with one of the prefixes. */
  readonly of: { readonly stream: string } | { readonly prefixes: readonly string[] };
  /** Exclusive: the last revision (of a stream) or log position (of prefixes) that is already known. */
  readonly after: number | string | 'start' | 'end';
  /** Called for one event after the other, at least once each, in log order; the next waits for the promise. */
  onEvent(event: RecordedEvent): Promise<void> | void;
  /** For prefixes: everything up to this log position has been seen, though nothing of it may have matched. */
  onCheckpoint?(position: string): Promise<void> | void;
  /** Reached the end of what is stored; said again after each reconnection. */
  onCaughtUp?(): void;
  /** The connection is down (`true`) or back (`false`). */
  onDown?(down: boolean): void;
}

export interface Following {
  close(): Promise<void>;
}

/**
 * The log. Appends are atomic over their events and idempotent by event id at the same expected revision. A read that
 * decides something goes to the leader. `follow` reconnects by itself with jittered backoff from its own checkpoint,
 * and notices within a bounded time that it has fallen silent.
 */
export interface EventStore {
  append(
    stream: string,
    expected: ExpectedRevision,
    events: readonly EventToAppend[],
  ): Promise<AppendOutcome>;
  readStream(stream: string, options: ReadStreamOptions): Promise<ReadOutcome>;
  readAll(options: ReadAllOptions): Promise<ReadOutcome>;
  follow(options: FollowOptions): Following;
  /** Keeps only the newest `maxCount` events of a stream readable (for lease streams). */
  capStream(stream: string, maxCount: number): Promise<AppendOutcome>;
  /** Whether the store answers now; at most one append timeout long. */
  ping(): Promise<boolean>;
  close(): Promise<void>;
}
