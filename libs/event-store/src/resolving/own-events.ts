import type { EventStore, EventToAppend, ExpectedRevision, StoreCause } from '@writ/runtime';

export type Authorship =
  | { readonly written: 'by_us'; readonly revision: number }
  | { readonly written: 'by_others' }
  | { readonly written: 'not_known'; readonly cause: StoreCause };

/**
 * Who wrote the events behind an expected revision: a conflict may be our own earlier write (protocol 5). All of an
 * append is there or nothing. Where a cap hides the place, the store's own check of the ids, which made it a conflict, stands.
 */
export async function authorshipOf(
  store: Pick<EventStore, 'readStream'>,
  stream: string,
  { expected, events }: { readonly expected: ExpectedRevision; readonly events: readonly EventToAppend[] },
): Promise<Authorship> {
  const from = expected === 'no_stream' ? 0 : expected + 1;
  const read = await store.readStream(stream, { direction: 'forwards', from, maxCount: events.length });
  if (read.outcome === 'unavailable') return { written: 'not_known', cause: read.cause };
  if (read.outcome === 'not_found') return { written: 'by_others' };
  const isOurs = events.every(({ id }, index) => {
    const found = read.events[index];
    return found?.id === id && found.revision === from + index;
  });
  return isOurs ? { written: 'by_us', revision: from + events.length - 1 } : { written: 'by_others' };
}
