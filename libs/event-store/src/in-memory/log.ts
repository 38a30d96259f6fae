import type { RecordedEvent } from '@writ/contracts';
import type {
  AppendOutcome,
  ExpectedRevision,
  ReadAllOptions,
  ReadOutcome,
  ReadStreamOptions,
} from '@writ/runtime';
import type { EncodedEvent } from '../preconditions';

/** Bytes that a record takes beside its event: positions grow by sizes and are not dense, as in EventStoreDB. */
const RECORD_BYTES = 64;
const NO_STREAM = -1;

/**
 * One log with the checks of the real server: expected revisions and idempotence by event id exactly as its index
 * writer decides them, also for events that a cap hides. Several stores may share one log, as several clients do.
 * Everything is synchronous and depends on what was appended alone.
 */
export class InMemoryLog {
  readonly #all: RecordedEvent[] = [];
  readonly #streams = new Map<string, RecordedEvent[]>();
  readonly #caps = new Map<string, number>();
  readonly #listeners = new Set<() => void>();
  /** Where the next record begins. No event lies at 0, where a log has its head. */
  #end = BigInt(RECORD_BYTES);

  /** Every event in log order, the store's own included: what a checker reads. */
  get events(): readonly RecordedEvent[] {
    return this.#all;
  }

  append(stream: string, expected: ExpectedRevision, events: readonly EncodedEvent[]): AppendOutcome {
    const current = this.#lastRevision(stream);
    const expectedRevision = expected === 'no_stream' ? NO_STREAM : expected;
    if (expectedRevision !== current) return this.#repeatOrConflict(stream, expectedRevision, events);
    const position = this.#store(stream, events);
    return { outcome: 'acknowledged', revision: current + events.length, position, repeated: false };
  }

  readStream(stream: string, { direction, from, maxCount }: ReadStreamOptions): ReadOutcome {
    const readable = this.#readable(stream);
    if (readable === undefined) return { outcome: 'not_found' };
    const bound = from === 'start' ? 0 : from === 'end' ? Infinity : from;
    const end = firstIndex(readable, (event) => event.revision >= bound);
    return page(readable, { direction, end, maxCount, at: (event) => event.revision === bound });
  }

  readAll({ direction, from, maxCount }: ReadAllOptions): ReadOutcome {
    const bound = from === 'start' ? 0n : from === 'end' ? this.#end : BigInt(from);
    const end = firstIndex(this.#all, (event) => BigInt(event.position) >= bound);
    return page(this.#all, { direction, end, maxCount, at: (event) => BigInt(event.position) === bound });
  }

  /** Index in `events` of the first event after the log position, or of where it will be. */
  indexAfter(position: string): number {
    const bound = BigInt(position);
    return firstIndex(this.#all, (event) => BigInt(event.position) > bound);
  }

  /** Keeps the newest `maxCount` events of the stream readable from its own metadata on, as `$maxCount` does. */
  cap(stream: string, maxCount: number): AppendOutcome {
    const metastream = `$$${stream}`;
    const revision = this.#lastRevision(metastream) + 1;
    if (this.#caps.get(stream) === maxCount)
      return { outcome: 'acknowledged', revision: revision - 1, repeated: false };
    this.#caps.set(stream, maxCount);
    const id = `${metastream}@${revision}`;
    this.#store(metastream, [{ id, type: '$metadata', data: `{"$maxCount":${maxCount}}`, metadata: '' }]);
    return { outcome: 'acknowledged', revision, repeated: false };
  }

  /** Calls back after every append that stored something; the listener must not throw. */
  onAppended(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #lastRevision(stream: string): number {
    return (this.#streams.get(stream)?.length ?? 0) - 1;
  }

  /** C1: behind the head the ids decide, in order and from the expected revision on; ahead of it nothing does. */
  #repeatOrConflict(
    stream: string,
    expectedRevision: number,
    events: readonly EncodedEvent[],
  ): AppendOutcome {
    const stored = this.#streams.get(stream) ?? [];
    const isRepeat = events.every((event, index) => stored[expectedRevision + 1 + index]?.id === event.id);
    if (isRepeat)
      return { outcome: 'acknowledged', revision: expectedRevision + events.length, repeated: false };
    return { outcome: 'conflict', actual: stored.length === 0 ? 'no_stream' : stored.length - 1 };
  }

  /** The position of the last event. */
  #store(stream: string, events: readonly EncodedEvent[]): string {
    const stored = this.#streams.get(stream) ?? [];
    this.#streams.set(stream, stored);
    let position = '';
    for (const { id, type, data, metadata } of events) {
      position = String(this.#end);
      const recorded: RecordedEvent = Object.freeze({
        id,
        stream,
        revision: stored.length,
        position,
        type,
        data: frozenJson(data),
        metadata: metadata === '' ? undefined : frozenJson(metadata),
      });
      stored.push(recorded);
      this.#all.push(recorded);
      this.#end += BigInt(RECORD_BYTES + data.length + metadata.length);
    }
    for (const listener of [...this.#listeners]) listener();
    return position;
  }

  #readable(stream: string): readonly RecordedEvent[] | undefined {
    const cap = this.#caps.get(stream);
    const stored = this.#streams.get(stream);
    return cap === undefined ? stored : stored?.slice(-cap);
  }
}

interface Page {
  readonly direction: 'forwards' | 'backwards';
  /** Index of the first event at or after the bound. */
  readonly end: number;
  readonly maxCount: number;
  /** Whether the event lies at the bound, which both directions include. */
  at(event: RecordedEvent): boolean;
}

/** The store's own streams are not shown, as no filter of ours asks for them. */
function page(events: readonly RecordedEvent[], { direction, end, maxCount, at }: Page): ReadOutcome {
  const found: RecordedEvent[] = [];
  const bound = events[end];
  const step = direction === 'forwards' ? 1 : -1;
  let index = direction === 'forwards' || (bound !== undefined && at(bound)) ? end : end - 1;
  for (; found.length < maxCount; index += step) {
    const event = events[index];
    if (event === undefined) break;
    if (!event.stream.startsWith('$')) found.push(event);
  }
  return { outcome: 'events', events: found };
}

/** Binary search in events whose order `holds` follows: false up to an index, true from there on. */
function firstIndex(events: readonly RecordedEvent[], holds: (event: RecordedEvent) => boolean): number {
  let low = 0;
  let high = events.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const event = events[middle];
    if (event !== undefined && holds(event)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Shared by all readers, so nobody may change it. */
function frozenJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  return deepFreeze(value);
}

function deepFreeze(value: unknown): unknown {
  if (typeof value === 'object' && value !== null)
    for (const inner of Object.values(Object.freeze(value))) deepFreeze(inner);
  return value;
}
