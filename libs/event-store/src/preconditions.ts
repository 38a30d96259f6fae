import type { EventToAppend, ExpectedRevision, FollowOptions } from '@writ/runtime';
import { APPEND_BYTES, APPEND_EVENTS, EVENT_OVERHEAD_BYTES, READ_EVENTS, STREAM_NAME_CHARS } from './limits';

const STREAM_NAME = /^[!-#%-~][!-~]*$/;

/**
 * Names travel in gRPC trailers, which must be printable ASCII; those that begin with `$` belong to the store.
 *
 * @throws RangeError where a caller asks for something else, which is a bug
 */
export function assertStreamName(stream: string): void {
  if (stream.length > STREAM_NAME_CHARS || !STREAM_NAME.test(stream))
    throw new RangeError(`a stream's name is 1 to ${STREAM_NAME_CHARS} printable ASCII characters, not $…`);
}

/** @throws RangeError for prefixes that would follow everything, or a start that does not fit what is followed */
export function assertFollow({ of, after }: FollowOptions): void {
  if ('stream' in of) {
    assertStreamName(of.stream);
    if (typeof after === 'string' && after !== 'start' && after !== 'end')
      throw new RangeError('a stream is followed after a revision');
    return;
  }
  if (of.prefixes.length === 0) throw new RangeError('follow needs at least one prefix');
  of.prefixes.forEach(assertStreamName);
  if (typeof after === 'number') throw new RangeError('prefixes are followed after a log position');
}

/** @throws RangeError for a page size that is none */
export function assertPageSize(maxCount: number): void {
  if (!Number.isSafeInteger(maxCount) || maxCount < 1 || maxCount > READ_EVENTS)
    throw new RangeError(`maxCount is 1 to ${READ_EVENTS}`);
}

/** @throws RangeError for an append that no caller of ours may make */
export function assertAppend(
  stream: string,
  expected: ExpectedRevision,
  events: readonly EventToAppend[],
): void {
  assertStreamName(stream);
  if (events.length === 0) throw new RangeError('an append needs at least one event');
  if (expected !== 'no_stream' && (!Number.isSafeInteger(expected) || expected < 0))
    throw new RangeError('an expected revision is a number from 0 on, or no_stream');
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** @throws RangeError for ids that the server would not take */
export function assertEventIds(events: readonly EventToAppend[]): void {
  if (!events.every(({ id }) => UUID.test(id))) throw new RangeError('an event id is a UUID in lower case');
}

/** One event as it is stored: its JSON texts, encoded once. */
export interface EncodedEvent {
  readonly id: string;
  readonly type: string;
  readonly data: string;
  /** Empty where there is none. */
  readonly metadata: string;
}

export interface EncodedAppend {
  readonly events: readonly EncodedEvent[];
  /** What the append counts for in its limits (`limits.ts`). */
  readonly bytes: number;
}

/** The events of an append as JSON texts, or undefined where they are too large for the store (`limits.ts`). */
export function encodeAppend(events: readonly EventToAppend[]): EncodedAppend | undefined {
  if (events.length > APPEND_EVENTS) return undefined;
  const encoded = events.map(({ id, type, data, metadata }) => ({
    id,
    type,
    data: jsonText(data, 'null'),
    metadata: jsonText(metadata, ''),
  }));
  const append = encodedAppend(encoded);
  return append.bytes <= APPEND_BYTES ? append : undefined;
}

/** Events that are texts already, of whatever size. */
export function encodedAppend(events: readonly EncodedEvent[]): EncodedAppend {
  return { events, bytes: events.reduce((sum, event) => sum + bytesOf(event), 0) };
}

/** `JSON.stringify` gives no text for `undefined`, whatever its type says. */
function jsonText(value: unknown, absent: string): string {
  const text: string | undefined = JSON.stringify(value);
  return text ?? absent;
}

function bytesOf({ type, data, metadata }: EncodedEvent): number {
  return EVENT_OVERHEAD_BYTES + type.length + Buffer.byteLength(data) + Buffer.byteLength(metadata);
}
