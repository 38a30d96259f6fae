import { connectBus } from '../nats';
import type { ObservedBus } from '../observed-bus';
import { ACK_WAIT_MS, PATIENCE_MS, type BusWorld } from './bus-world';
import { startNatsServer, type NatsServer } from './nats-server';
import { realEntropy, recordLog, timerClock } from './test-ports';

export interface NatsWorld extends BusWorld {
  readonly server: NatsServer;
}

/** A nats-server of its own, in real time. */
export async function openNatsWorld(): Promise<NatsWorld> {
  const server = await startNatsServer();
  const log = recordLog();
  const buses: ObservedBus[] = [];
  const pass = (ms: number) => timerClock.sleep(ms);
  return {
    server,
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
    publishBytes: (subject, bytes) => server.visit((stranger) => stranger.publish(subject, bytes)),
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
