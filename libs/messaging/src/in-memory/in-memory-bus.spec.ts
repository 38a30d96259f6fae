import type { ObservedBus } from '../observed-bus';
import { ACK_WAIT_MS, describeBus, PATIENCE_MS, recordLog, timerClock, type BusWorld } from '../testing';
import { createInMemoryBroker } from './broker';

/** Jest turns the clock: the cases take no time. */
async function openInMemoryWorld(): Promise<BusWorld> {
  jest.useFakeTimers();
  const log = recordLog();
  const broker = createInMemoryBroker({ clock: timerClock, limits: { ackWaitMs: ACK_WAIT_MS } });
  const buses: ObservedBus[] = [];
  return {
    log,
    connect() {
      const bus = broker.connect({ log });
      buses.push(bus);
      return bus;
    },
    stopBroker: async () => broker.stop(),
    startBroker: async (storage) => broker.start(storage),
    publishBytes: async (subject, bytes) => broker.publishBytes(subject, bytes),
    pass: (ms) => jest.advanceTimersByTimeAsync(ms),
    async eventually(words, check) {
      const until = performance.now() + PATIENCE_MS;
      while (!(await check())) {
        if (performance.now() > until) throw new Error(`never: ${words}`);
        await jest.advanceTimersByTimeAsync(10);
      }
    },
    openHandles() {
      // What the broker still holds back for others is no handle of the bus.
      if (buses.length > 0) broker.close();
      return jest.getTimerCount();
    },
    async dispose() {
      const closed = Promise.all(buses.map((bus) => bus.close()));
      await jest.advanceTimersByTimeAsync(1);
      await closed;
      jest.useRealTimers();
    },
  };
}

describeBus('the bus in memory', openInMemoryWorld);
