import { connect } from 'nats';
import type { ObservedBus } from '../observed-bus';
import {
  ACK_WAIT_MS,
  describeBus,
  PATIENCE_MS,
  realEntropy,
  recordLog,
  startNatsServer,
  timerClock,
  type BusWorld,
} from '../testing';
import { connectBus } from './connect-bus';

jest.setTimeout(60_000);

async function openNatsWorld(): Promise<BusWorld> {
  const server = await startNatsServer();
  const log = recordLog();
  const buses: ObservedBus[] = [];
  const pass = (ms: number) => timerClock.sleep(ms);
  return {
    log,
    connect() {
      const bus = connectBus({
        url: server.url,
        name: `bus-${buses.length}`,
        log,
        clock: timerClock,
        entropy: realEntropy,
        limits: { ackWaitMs: ACK_WAIT_MS, handlerFailedDelayMs: 300 },
      });
      buses.push(bus);
      return bus;
    },
    stopBroker: () => server.stop(),
    startBroker: (storage) => server.start(storage),
    async publishBytes(subject, bytes) {
      const stranger = await connect({ servers: server.url });
      stranger.publish(subject, bytes);
      await stranger.drain();
    },
    pass,
    async eventually(words, check) {
      const until = performance.now() + PATIENCE_MS;
      while (!(await check())) {
        if (performance.now() > until) throw new Error(`never: ${words}\n${JSON.stringify(log.lines)}`);
        await pass(10);
      }
    },
    openHandles: () =>
      process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout' || kind === 'TCPSocketWrap')
        .length,
    async dispose() {
      await Promise.all(buses.map((bus) => bus.close()));
      await server.dispose();
    },
  };
}

describeBus('the bus over NATS', openNatsWorld);
