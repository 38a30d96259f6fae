/**
 * A log for specs: gives each event its revision, position, metadata and chain as a store and its writers would.
 * Test code only; no product file imports it.
 */
import type { Actor, EventData, EventMetadata, EventType, WritEvent } from '@writ/contracts';

export interface Draft<T extends EventType = EventType> {
  readonly stream: string;
  readonly type: T;
  readonly data: EventData<T>;
  readonly actor?: Actor;
  readonly metadata?: Pick<EventMetadata, '$causationId' | 'traceparent'>;
  /** The session, or the instance for what belongs to none; default `s1`. */
  readonly correlation?: string;
  /** Wall time of the event, seconds after the log's beginning; default: one second per event. */
  readonly second?: number;
}

/** One line per event, written by `actor` where that matters; the pairing of type and data is checked here. */
export const draft = <T extends EventType>(
  stream: string,
  type: T,
  ...[data, actor]: readonly [EventData<T>, Actor?]
): Draft<T> => ({ stream, type, data, ...(actor ? { actor } : {}) });

/** 64 hex digits that depend on every character; nothing that would withstand an attacker. */
export function fakeDigest(value: unknown): string {
  const text = JSON.stringify(sorted(value));
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return `sha256:${(hash >>> 0).toString(16).padStart(8, '0').repeat(8)}`;
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)]),
  );
}

/**
 * Writes drafts down in order, as one log: positions ascend by 100, streams from revision 0, chained from the first
 * event. Session streams are digested first, so that a call's first event names its staged event wherever that stands.
 */
export function writeDown(drafts: readonly Draft[], digestOf = fakeDigest): WritEvent[] {
  const heads = new Map<string, { revision: number; digest: string }>();
  const isSession = ({ entry }: { entry: Draft }): boolean => entry.stream.startsWith('session-');
  const numbered = drafts.map((entry, index) => ({ entry, index }));
  return [...numbered.filter(isSession), ...numbered.filter((one) => !isSession(one))]
    .map(({ entry, index }): [number, WritEvent] => {
      const head = heads.get(entry.stream);
      const place = { id: `event-${index}`, stream: entry.stream, revision: (head?.revision ?? -1) + 1 };
      const open = {
        $correlationId: entry.correlation ?? 's1',
        ...entry.metadata,
        schemaVersion: 1 as const,
        at: timeAt(entry.second ?? index),
        actor: entry.actor ?? { service: 'writ' as const },
        predecessor: head?.digest ?? null,
      };
      const { type, data } = entry;
      const digest = digestOf({ ...place, type, data, metadata: open });
      heads.set(entry.stream, { revision: place.revision, digest });
      // A call's stream goes on from its staged event, without taking a revision for it.
      if (type === 'ToolCallStaged' && 'callId' in data && !heads.has(`toolcall-${data.callId}`)) {
        heads.set(`toolcall-${data.callId}`, { revision: -1, digest });
      }
      const position = String((index + 1) * 100);
      return [index, { ...place, position, type, data, metadata: { ...open, digest } } as WritEvent];
    })
    .sort(([a], [b]) => a - b)
    .map(([, event]) => event);
}

/** RFC 3339, `second` seconds after the beginning of the log's day; under an hour, so that no clock is needed. */
export function timeAt(second: number): string {
  const two = (value: number): string => String(value).padStart(2, '0');
  return `2026-01-01T${two(10 + Math.floor(second / 3600))}:${two(Math.floor(second / 60) % 60)}:${two(second % 60)}.000Z`;
}
