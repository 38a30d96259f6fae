import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { connectEventStore } from '@writ/event-store';
import { connectBus } from '@writ/messaging';
import { WritTransport } from '@writ/nest-nats';
import { CallExecutor, Instance, runtimeLimits, type Bus } from '@writ/runtime';
import {
  instanceProbe,
  listenOrExit,
  mountProbes,
  nameIsTaken,
  observeBus,
  onShutdown,
  openapi,
  probes,
  readEnv,
  softwareVersion,
  startServiceProcess,
  stopWith,
  storeAndBroker,
  systemClock as clock,
  systemEntropy as entropy,
  type ServiceProcess,
} from '@writ/service';
import { AppModule } from './app.module';
import { executorEnv } from './env';
import { Publication } from './publication';
import { startTools, type StartedTools } from './start-tools';

const service = 'tool-executor';

async function main(): Promise<void> {
  const env = readEnv(executorEnv, process.env);
  const own = await startServiceProcess(service, env);
  const { log, crash, toolHostSocket: socketPath } = own;
  const loaded = await startTools({ file: env.WRIT_TOOLS, socketPath, env: process.env, log });
  if (!loaded.ok) return stopWith(loaded.problems);
  const { tools } = loaded;
  const store = connectEventStore({
    url: env.WRIT_EVENTSTORE_URL,
    appendTimeoutMs: env.WRIT_APPEND_TIMEOUT_MS,
    resolveMs: env.WRIT_APPEND_RESOLVE_MS,
    clock,
    entropy,
    log,
  });
  const bus = connectBus({ url: env.WRIT_NATS_URL, name: `${service}.${own.name}`, log, clock, entropy });
  observeBus(own.metrics, () => ({ ...bus.counters() }));
  const edge = { store, clock, entropy, log, crash };
  const instance = new Instance({
    ...edge,
    probe: instanceProbe(),
    ttlMs: env.WRIT_LEASE_TTL_MS,
    started: own.started({ pool: tools.pool, slots: tools.slots }),
    onExtended: (until) => tools.host.extend(until),
    onLost: () => void tools.host.killAll('stop'),
    onLeaseEnded: () => undefined,
    onClone: () => stopWith([nameIsTaken(own.name)]),
  });
  const { lease, watch } = instance;
  const executor = new CallExecutor({ ...edge, bus, lease, watch, runner: tools.host }, tools);
  const publication = new Publication({ store, clock, entropy, log, instance }, tools);
  const app = await serve({ own, bus, executor, tools }, async () => ({
    ...(await storeAndBroker(store, bus)),
    lease: publication.isOnRecord ? instance.readiness() : 'its tools are not on record yet',
  }));

  tools.host.onDied(() => process.exit(1));
  onShutdown(
    [
      { name: 'tools', run: () => executor.stop() },
      { name: 'transport', run: () => app.close() },
      { name: 'publication', run: () => publication.stop() },
      { name: 'lease', run: () => instance.end() },
      { name: 'tool host', run: () => tools.host.stop() },
      { name: 'sockets', run: () => own.alive.close() },
      { name: 'broker', run: () => bus.close() },
      { name: 'store', run: () => store.close() },
    ],
    { log },
  );
  const address = { host: env.WRIT_HTTP_HOST, port: env.WRIT_HTTP_PORT };
  await listenOrExit(address, () => app.listen(address.port, address.host));
  instance.start();
  publication.start();
  await app.startAllMicroservices();
  log.info('listening', { port: address.port });
}

interface Served {
  readonly own: ServiceProcess;
  readonly bus: Bus;
  readonly executor: CallExecutor;
  readonly tools: StartedTools;
}

async function serve(
  { own, bus, executor, tools }: Served,
  readiness: Parameters<typeof probes>[0]['readiness'],
): Promise<NestExpressApplication> {
  const { metrics, log } = own;
  const app = await NestFactory.create<NestExpressApplication>(AppModule.over(executor), {
    logger: ['error'],
  });
  const document = openapi({ title: 'Writ tool-executor', version: softwareVersion, routes: [] });
  mountProbes(app, probes({ metrics, openapi: document, readiness }));
  const execute = { pool: tools.pool, free: () => executor.free() };
  const strategy = new WritTransport({ bus, log, clock, execute, drainMs: runtimeLimits.drainToolsMs });
  app.connectMicroservice({ strategy });
  return app;
}

void main();
