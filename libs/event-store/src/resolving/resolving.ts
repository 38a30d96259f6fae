import type { AppendOutcome, Clock, Entropy, EventStore } from '@writ/runtime';
import { Backoff } from '../backoff';
import { REPEAT_FIRST_MS, REPEAT_LAST_MS } from '../limits';
import { within } from '../within';
import { authorshipOf, type Authorship } from './own-events';

export interface ResolvingOptions {
  readonly clock: Clock;
  readonly entropy: Entropy;
  /** Milliseconds of one try; then its outcome is unknown (`WRIT_APPEND_TIMEOUT_MS`). */
  readonly appendTimeoutMs: number;
  /** Milliseconds of all tries together (`WRIT_APPEND_RESOLVE_MS`). */
  readonly resolveMs: number;
  /** The store ends its tries itself after `appendTimeoutMs`: a try with all its time then needs no second timer. */
  readonly boundsItsTries?: boolean;
}

type Unknown = Extract<AppendOutcome, { outcome: 'unknown' }>;
const timedOut: Unknown = { outcome: 'unknown', cause: 'store_timeout' };

/**
 * Resolves unknown appends over a store that tries each once (protocol 5): repeats the same events at the same
 * expected revision, and after a conflict looks for its own event ids before it believes it. It never reads the head
 * to append there again. What is still unknown after `resolveMs`, or when the store is closed, stays unknown.
 */
export function resolving(store: EventStore, options: ResolvingOptions): EventStore {
  const closing = new AbortController();
  const repeats = new Repeats(options, closing.signal);
  return {
    append: (stream, expected, events) =>
      repeats.untilKnown(async (bounded) => {
        const outcome = await bounded(store.append(stream, expected, events));
        if (outcome?.outcome !== 'conflict') return outcome ?? timedOut;
        return believeConflict(outcome, bounded(authorshipOf(store, stream, { expected, events })));
      }),
    capStream: (stream, maxCount) =>
      repeats.untilKnown(async (bounded) => (await bounded(store.capStream(stream, maxCount))) ?? timedOut),
    readStream: (stream, read) => store.readStream(stream, read),
    readAll: (read) => store.readAll(read),
    follow: (follow) => store.follow(follow),
    ping: () => store.ping(),
    close: () => {
      closing.abort();
      return store.close();
    },
  };
}

async function believeConflict(
  conflict: AppendOutcome,
  reading: Promise<Authorship | undefined>,
): Promise<AppendOutcome> {
  const authorship = await reading;
  if (authorship === undefined) return timedOut;
  if (authorship.written === 'not_known') return { outcome: 'unknown', cause: authorship.cause };
  if (authorship.written === 'by_others') return conflict;
  return { outcome: 'acknowledged', revision: authorship.revision, repeated: true };
}

/** Gives what the store gives, or undefined when the try's time is over. */
type Bounded = <T>(work: Promise<T>) => Promise<T | undefined>;

class Repeats {
  readonly #options: ResolvingOptions;
  readonly #closing: AbortSignal;

  constructor(options: ResolvingOptions, closing: AbortSignal) {
    this.#options = options;
    this.#closing = closing;
  }

  /** Repeats while the outcome is unknown and time is left; says `repeated` where success was not the first answer. */
  async untilKnown(attempt: (bounded: Bounded) => Promise<AppendOutcome>): Promise<AppendOutcome> {
    const { clock, entropy, appendTimeoutMs, resolveMs } = this.#options;
    const startedMs = clock.monotonicMs();
    const first = await attempt(this.#bounded(appendTimeoutMs));
    if (first.outcome !== 'unknown') return first;
    const leftMs = () => (this.#closing.aborted ? 0 : startedMs + resolveMs - clock.monotonicMs());
    const backoff = new Backoff({ firstMs: REPEAT_FIRST_MS, lastMs: REPEAT_LAST_MS, entropy });
    let last: Unknown = first;
    while (leftMs() > 0) {
      await clock.sleep(Math.min(backoff.nextMs(), leftMs()), this.#closing);
      const timeoutMs = Math.min(appendTimeoutMs, leftMs());
      if (timeoutMs <= 0) break;
      const outcome = await attempt(this.#bounded(timeoutMs));
      if (outcome.outcome !== 'unknown') return asRepeated(outcome);
      // A try that had less than its own time says nothing about the cause.
      if (timeoutMs === appendTimeoutMs) last = outcome;
    }
    return last;
  }

  #bounded(timeoutMs: number): Bounded {
    const { clock, appendTimeoutMs, boundsItsTries } = this.#options;
    if (boundsItsTries === true && timeoutMs === appendTimeoutMs) return (work) => work;
    return (work) => within(clock, timeoutMs, work);
  }
}

function asRepeated(outcome: AppendOutcome): AppendOutcome {
  // What a repeat says of the position is not relied on (eventstore.md C1).
  if (outcome.outcome !== 'acknowledged') return outcome;
  return { outcome: 'acknowledged', revision: outcome.revision, repeated: true };
}
