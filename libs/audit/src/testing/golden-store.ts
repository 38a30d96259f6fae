/** Stores for specs that hold a given record and only let it be read. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { recordedEventSchema, type RecordedEvent } from '@writ/contracts';
import type { EventStore, ReadOutcome } from '@writ/runtime';

/** A file of the golden samples, or the member of it that the path leads to. */
export function golden(file: string, ...path: readonly string[]): unknown {
  const contracts = dirname(require.resolve('@writ/contracts/package.json'));
  const whole: unknown = JSON.parse(readFileSync(join(contracts, 'golden', 'v1', file), 'utf8'));
  return path.reduce(memberOf, whole);
}

function memberOf(value: unknown, key: string): unknown {
  const members = value !== null && typeof value === 'object' ? Object.entries(value) : [];
  return new Map<string, unknown>(members).get(key);
}

/** The recorded history that every version must be able to read. */
export const goldenHistory = (): RecordedEvent[] => recordedEventSchema.array().parse(golden('history.json'));

export const unreachable: ReadOutcome = { outcome: 'unavailable', cause: 'store_unavailable' };

/** Reads from `events`, which a spec may go on changing between reads; `onRead` may answer in their place. */
export function storeOf(
  events: readonly RecordedEvent[],
  onRead?: () => ReadOutcome | undefined,
): EventStore {
  const page = (found: readonly RecordedEvent[], direction: string, maxCount: number): ReadOutcome => ({
    outcome: 'events',
    events: (direction === 'forwards' ? found : found.toReversed()).slice(0, maxCount),
  });
  const readOnly = (): never => {
    throw new Error('an audit does not write');
  };
  return {
    readStream: async (stream, { direction, from, maxCount }) => {
      const own = events.filter((event) => event.stream === stream);
      const first = typeof from === 'number' ? from : 0;
      if (own.length === 0) return onRead?.() ?? { outcome: 'not_found' };
      return (
        onRead?.() ??
        page(
          own.filter((event) => event.revision >= first),
          direction,
          maxCount,
        )
      );
    },
    readAll: async ({ direction, from, maxCount }) => {
      const bound = from === 'start' || from === 'end' ? 0n : BigInt(from);
      return (
        onRead?.() ??
        page(
          events.filter((event) => BigInt(event.position) >= bound),
          direction,
          maxCount,
        )
      );
    },
    append: readOnly,
    follow: ({ of, onEvent, onCaughtUp }) => {
      const prefixes = 'prefixes' in of ? of.prefixes : [];
      const wanted = events.filter(({ stream }) => prefixes.some((prefix) => stream.startsWith(prefix)));
      setImmediate(() => {
        wanted.forEach((event) => void onEvent(event));
        onCaughtUp?.();
      });
      return { close: async () => undefined };
    },
    capStream: readOnly,
    ping: async () => true,
    close: async () => undefined,
  };
}
