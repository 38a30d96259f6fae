import { sessionStream, type WritEvent } from '@writ/contracts';
import { connectEventStore } from '@writ/event-store';
import { readWhole, type EventStore } from '@writ/runtime';
import { systemClock, systemEntropy } from '@writ/service';

/** Looks into the store itself, past every service. */
export async function withStore<T>(url: string, look: (store: EventStore) => Promise<T>): Promise<T> {
  const store = connectEventStore({
    url,
    appendTimeoutMs: 5_000,
    resolveMs: 5_000,
    clock: systemClock,
    entropy: systemEntropy,
  });
  try {
    return await look(store);
  } finally {
    await store.close();
  }
}

/** A session's own stream as it is stored. */
export function sessionEvents(url: string, sessionId: string): Promise<readonly WritEvent[]> {
  return withStore(url, async (store) => {
    const read = await readWhole(store, sessionStream(sessionId));
    if (read.outcome !== 'events') throw new Error(`session ${sessionId} could not be read: ${read.outcome}`);
    return read.events;
  });
}
