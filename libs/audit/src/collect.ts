import type { RecordedEvent, WritEvent } from '@writ/contracts';
import type { EventStore, Following } from '@writ/runtime';
import { parseRecorded } from './parse-recorded';
import { headPosition, type Unavailable } from './read-streams';

export type Collected = { readonly outcome: 'events'; readonly events: readonly WritEvent[] } | Unavailable;

/**
 * Everything that is stored now in streams with one of the prefixes, in log order; the store picks them out. What
 * cannot be parsed is left out: lists show what is readable, `verify` says what is not.
 */
export async function collect(store: EventStore, prefixes: readonly string[]): Promise<Collected> {
  const head = await headPosition(store);
  if (head.outcome === 'unavailable') return head;
  const recorded: RecordedEvent[] = [];
  let following: Following | undefined;
  const isWhole = await new Promise<boolean>((resolve) => {
    following = store.follow({
      of: { prefixes },
      after: 'start',
      onEvent: (event) => void recorded.push(event),
      onCaughtUp: () => resolve(true),
      onDown: (down) => down && resolve(false),
    });
  });
  await following?.close();
  if (!isWhole) return { outcome: 'unavailable', cause: 'store_unavailable' };
  const parsed = recorded.map(parseRecorded);
  return { outcome: 'events', events: parsed.flatMap((one) => (one.ok ? [one.event] : [])) };
}
