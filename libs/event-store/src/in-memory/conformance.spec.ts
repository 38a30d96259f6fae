import { resolving } from '../resolving/resolving';
import { eventStoreConformance, systemClock, systemEntropy } from '../testing';
import { InMemoryLog } from './log';
import { InMemoryEventStore } from './store';

/** Milliseconds; nothing here ever waits for them. */
const TIMES = { appendTimeoutMs: 1_500, resolveMs: 8_000 };

eventStoreConformance(
  'memory',
  async () => {
    const log = new InMemoryLog();
    const clients: InMemoryEventStore[] = [];
    return {
      connect: (times) => {
        const client = new InMemoryEventStore({ log });
        clients.push(client);
        return resolving(client, { ...TIMES, ...times, clock: systemClock, entropy: systemEntropy });
      },
      restart: async () => {
        for (const client of clients) client.setDown(true);
        await systemClock.sleep(1);
        for (const client of clients) client.setDown(false);
      },
      stop: async () => undefined,
    };
  },
  { restarts: true },
);
