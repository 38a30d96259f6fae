import type {
  AppendOutcome,
  Clock,
  Entropy,
  EventStore,
  EventToAppend,
  ExpectedRevision,
} from '@writ/runtime';
import { Backoff } from '../backoff';
import { REPEAT_FIRST_MS, REPEAT_LAST_MS } from '../limits';
import { within } from '../within';
import { authorshipOf } from './own-events';

export interface ResolvingOptions {
  readonly clock: Clock;
  readonly entropy: Entropy;
  /** Milliseconds of one try; then its outcome is unknown (`WRIT_APPEND_TIMEOUT_MS`). */
  readonly appendTimeoutMs: number;
  /** Milliseconds of all tries together (`WRIT_APPEND_RESOLVE_MS`). */
  readonly resolveMs: number;
}

type Unknown = Extract<AppendOutcome, { outcome: 'unknown' }>;

/**
 * Resolves unknown appends over a store that tries each once (protocol 5): repeats the same events at the same
 * expected revision, and after a conflict looks for its own event ids before it believes it. It never reads the head
 * to append there again. What is still unknown after `resolveMs` stays unknown.
 */
export function resolving(store: EventStore, options: ResolvingOptions): EventStore {
  const { clock, appendTimeoutMs } = options;

  async function tryAppend(append: Promise<AppendOutcome>, timeoutMs: number): Promise<AppendOutcome> {
    return (await within(clock, timeoutMs, append)) ?? { outcome: 'unknown', cause: 'store_timeout' };
  }

  async function believeConflict(
    conflict: AppendOutcome,
    stream: string,
    sent: { expected: ExpectedRevision; events: readonly EventToAppend[] },
  ): Promise<AppendOutcome> {
    const authorship = await within(clock, appendTimeoutMs, authorshipOf(store, stream, sent));
    if (authorship === undefined) return { outcome: 'unknown', cause: 'store_timeout' };
    if (authorship.written === 'not_known') return { outcome: 'unknown', cause: authorship.cause };
    if (authorship.written === 'by_others') return conflict;
    return { outcome: 'acknowledged', revision: authorship.revision, repeated: true };
  }

  return {
    append: (stream, expected, events) =>
      untilKnown(options, async (timeoutMs) => {
        const outcome = await tryAppend(store.append(stream, expected, events), timeoutMs);
        return outcome.outcome === 'conflict'
          ? believeConflict(outcome, stream, { expected, events })
          : outcome;
      }),
    capStream: (stream, maxCount) =>
      untilKnown(options, (timeoutMs) => tryAppend(store.capStream(stream, maxCount), timeoutMs)),
    readStream: (stream, read) => store.readStream(stream, read),
    readAll: (read) => store.readAll(read),
    follow: (follow) => store.follow(follow),
    ping: () => store.ping(),
    close: () => store.close(),
  };
}

/** Repeats while the outcome is unknown and time is left; says `repeated` where success was not the first answer. */
async function untilKnown(
  { clock, entropy, appendTimeoutMs, resolveMs }: ResolvingOptions,
  attempt: (timeoutMs: number) => Promise<AppendOutcome>,
): Promise<AppendOutcome> {
  const startedMs = clock.monotonicMs();
  const leftMs = () => startedMs + resolveMs - clock.monotonicMs();
  const backoff = new Backoff({ firstMs: REPEAT_FIRST_MS, lastMs: REPEAT_LAST_MS, entropy });
  let last: Unknown | undefined;
  while (last === undefined || leftMs() > 0) {
    const timeoutMs = last === undefined ? appendTimeoutMs : Math.min(appendTimeoutMs, leftMs());
    const outcome = await attempt(timeoutMs);
    if (outcome.outcome !== 'unknown') return last === undefined ? outcome : asRepeated(outcome);
    // A last try that had less than its own time says nothing about the cause.
    last = timeoutMs < appendTimeoutMs ? (last ?? outcome) : outcome;
    await clock.sleep(Math.max(0, Math.min(backoff.nextMs(), leftMs())));
  }
  return last;
}

function asRepeated(outcome: AppendOutcome): AppendOutcome {
  return outcome.outcome === 'acknowledged' ? { ...outcome, repeated: true } : outcome;
}
