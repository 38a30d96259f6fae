import type { RecordedEvent } from '@writ/contracts';
import type { EventStore, StoreCause } from '@writ/runtime';
import { auditLimits } from './limits';

export type Unavailable = { readonly outcome: 'unavailable'; readonly cause: StoreCause };
export type RecordedRead =
  { readonly outcome: 'events'; readonly events: readonly RecordedEvent[] } | Unavailable;

/** Log position of the newest event; `0` for an empty log. What is read up to it afterwards is complete. */
export async function headPosition(
  store: EventStore,
): Promise<{ outcome: 'head'; position: string } | Unavailable> {
  const page = await store.readAll({ direction: 'backwards', from: 'end', maxCount: 1 });
  if (page.outcome === 'unavailable') return page;
  return { outcome: 'head', position: (page.outcome === 'events' && page.events[0]?.position) || '0' };
}

/** A stream from its first readable event to its end; empty where there is none. */
export async function readStreamWhole(store: EventStore, stream: string): Promise<RecordedRead> {
  const events: RecordedEvent[] = [];
  for (let from: number | 'start' = 'start'; ;) {
    const maxCount = auditLimits.streamPage;
    const page = await store.readStream(stream, { direction: 'forwards', from, maxCount });
    if (page.outcome === 'unavailable') return page;
    if (page.outcome === 'not_found') return { outcome: 'events', events };
    events.push(...page.events);
    const last = page.events.at(-1);
    if (last === undefined || page.events.length < maxCount) return { outcome: 'events', events };
    from = last.revision + 1;
  }
}

/** Several streams, a few at a time, in the order given. */
export async function readStreams(store: EventStore, streams: readonly string[]): Promise<RecordedRead> {
  const events: RecordedEvent[] = [];
  for (let next = 0; next < streams.length; next += auditLimits.concurrentReads) {
    const some = streams.slice(next, next + auditLimits.concurrentReads);
    const reads = await Promise.all(some.map((stream) => readStreamWhole(store, stream)));
    for (const read of reads) {
      if (read.outcome === 'unavailable') return read;
      events.push(...read.events);
    }
  }
  return { outcome: 'events', events };
}

/** Calls back for every event of the log up to `through`, in order; true once all were seen. */
export async function eachRecorded(
  store: EventStore,
  through: string,
  take: (event: RecordedEvent) => void,
): Promise<{ outcome: 'done' } | Unavailable> {
  const last = BigInt(through);
  for (let from: string = 'start'; ;) {
    const page = await store.readAll({ direction: 'forwards', from, maxCount: auditLimits.logPage });
    if (page.outcome === 'unavailable') return page;
    if (page.outcome === 'not_found') return { outcome: 'done' };
    // A page begins with the event at which the one before ended.
    const fresh = page.events.filter((event) => event.position !== from);
    fresh.filter((event) => BigInt(event.position) <= last).forEach(take);
    const end = page.events.at(-1);
    if (end === undefined || fresh.length === 0 || BigInt(end.position) >= last) return { outcome: 'done' };
    from = end.position;
  }
}
