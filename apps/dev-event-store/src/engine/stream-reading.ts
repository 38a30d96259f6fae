import type { EventIndex } from './event-index';
import type { Stream } from './stream-catalogue';

export type StreamState = { kind: 'absent' } | { kind: 'deleted' } | { kind: 'present'; stream: Stream };

/** A stream as readers see it: appends that wait for their fdatasync do not exist. */
export function visibleStream(index: EventIndex, name: string): StreamState {
  const stream = index.streams.find(name);
  if (stream === undefined) return { kind: 'absent' };
  if (stream.tombstone >= 0 && stream.tombstone < index.visible) return { kind: 'deleted' };
  if (visibleLength(index, stream) === 0 || stream.visibleMetadata.softDeleted) return { kind: 'absent' };
  return { kind: 'present', stream };
}

/** Number of visible events, those hidden by metadata included. */
export function visibleLength(index: EventIndex, stream: Stream): number {
  let length = stream.events.length;
  // Only the youngest few can be invisible, so this looks at no more than what is in flight.
  while (length > 0 && (stream.events[length - 1] ?? 0) >= index.visible) length--;
  return length;
}

/** The lowest revision that `$tb` and `$maxCount` leave to readers. */
export function firstShownRevision(stream: Stream, length: number): number {
  const { truncateBefore, maxCount } = stream.visibleMetadata;
  return Math.max(0, truncateBefore, length - maxCount);
}

/** Creation time in ms below which `$maxAge` hides an event from readers. */
export function oldestShownMs(stream: Stream, nowMs: number): number {
  return nowMs - stream.visibleMetadata.maxAgeMs;
}

export interface StreamReadOptions {
  /** First revision wanted, inclusive; `Infinity` is the end. */
  from: number;
  backwards: boolean;
  maxCount: number;
  nowMs: number;
}

/** Sequences that a read of `stream` gives, in order. */
export function selectFromStream(index: EventIndex, stream: Stream, options: StreamReadOptions): number[] {
  const length = visibleLength(index, stream);
  const first = firstShownRevision(stream, length);
  const oldestMs = oldestShownMs(stream, options.nowMs);
  const step = options.backwards ? -1 : 1;
  let revision = options.backwards ? Math.min(options.from, length - 1) : Math.max(options.from, first);
  const selected: number[] = [];
  while (revision >= first && revision < length && selected.length < options.maxCount) {
    const sequence = stream.events[revision];
    if (sequence !== undefined && index.table.createdMs(sequence) >= oldestMs) selected.push(sequence);
    revision += step;
  }
  return selected;
}
