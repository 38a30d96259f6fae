import 'reflect-metadata';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { connectEventStore } from '@writ/event-store';
import { connectBus } from '@writ/messaging';
import { WritTransport } from '@writ/nest-nats';
import { CallExecutor, Instance, publishManifest, runtimeLimits } from '@writ/runtime';
import {
  countingLog,
  crashPoints,
  createLog,
  createMetrics,
  instanceProbe,
  listenAlive,
  listenOrExit,
  newSocketPaths,
  onShutdown,
  openapi,
  probes,
  readEnv,
  softwareVersion as version,
  systemClock as clock,
  systemEntropy as entropy,
  thisHost,
  writeOnFatal,
  wrongUsage,
} from '@writ/service';
import { AppModule } from './app.module';
import { executorEnv } from './env';
import { startTools } from './start-tools';

const service = 'tool-executor';

async function main(): Promise<void> {
  const env = readEnv(executorEnv, process.env);
  const name = env.WRIT_INSTANCE_NAME;
  const metrics = createMetrics(service);
  const log = countingLog(createLog({ level: env.WRIT_LOG_LEVEL, service, instance: name }), metrics);
  writeOnFatal(log);
  const crash = crashPoints(env.WRIT_CRASH_AT, log);
  const sockets = newSocketPaths(join(tmpdir(), `writ-${process.getuid?.() ?? 0}`));
  const alive = await listenAlive(sockets.process);
  const started = await startTools({
    file: env.WRIT_TOOLS,
    socketPath: sockets.toolHost,
    env: process.env,
    log,
  });
  if (!started.ok) return stopWith(started.problems);
  const { host, pool, slots, published } = started.tools;

  const store = connectEventStore({
    url: env.WRIT_EVENTSTORE_URL,
    appendTimeoutMs: env.WRIT_APPEND_TIMEOUT_MS,
    resolveMs: env.WRIT_APPEND_RESOLVE_MS,
    clock,
    entropy,
    log,
  });
  const bus = connectBus({ url: env.WRIT_NATS_URL, name: `${service}.${name}`, log, clock, entropy });
  const instance = new Instance({
    store,
    clock,
    entropy,
    log,
    crash,
    probe: instanceProbe(),
    ttlMs: env.WRIT_LEASE_TTL_MS,
    started: { service, name, version, host: thisHost(), pid: process.pid, sockets, pool, slots },
    onExtended: (until) => host.extend(until),
    onLost: () => void host.killAll('stop'),
    onLeaseEnded: () => undefined,
    onClone: () =>
      stopWith([`WRIT_INSTANCE_NAME: another live process is named ${name}; give each its own name`]),
  });
  const { lease, watch } = instance;
  let isPublished = false;
  const executor = new CallExecutor(
    { store, clock, entropy, log, crash, bus, lease, watch, runner: host },
    { pool, slots, tools: new Map(published.map((tool) => [tool.name, tool])) },
  );

  const app = await NestFactory.create<NestExpressApplication>(AppModule.over(executor), {
    logger: ['error'],
  });
  const {
    livez,
    readyz,
    metrics: metricsHandler,
    openapi: document,
  } = probes({
    metrics,
    openapi: openapi({ title: 'Writ tool-executor', version, routes: [] }),
    readiness: async () => ({
      store: (await store.ping()) ? 'ok' : 'the event store does not answer',
      broker: bus.connected() ? 'ok' : 'not connected to NATS',
      lease: isPublished ? instance.readiness() : 'its tools are not on record yet',
    }),
  });
  app
    .use('/livez', livez)
    .use('/readyz', readyz)
    .use('/metrics', metricsHandler)
    .use('/openapi.json', document);
  const execute = { pool, free: () => executor.free() };
  app.connectMicroservice({
    strategy: new WritTransport({ bus, log, clock, execute, drainMs: runtimeLimits.drainToolsMs }),
  });
  host.onDied(() => process.exit(1));

  onShutdown(
    [
      { name: 'tools', run: () => executor.stop() },
      { name: 'transport', run: () => app.close() },
      { name: 'lease', run: () => instance.end() },
      { name: 'tool host', run: () => host.stop() },
      { name: 'sockets', run: () => alive.close() },
      { name: 'broker', run: () => bus.close() },
      { name: 'store', run: () => store.close() },
    ],
    { log },
  );
  const address = { host: env.WRIT_HTTP_HOST, port: env.WRIT_HTTP_PORT };
  await listenOrExit(address, () => app.listen(address.port, address.host));
  instance.start();
  await app.startAllMicroservices();
  log.info('listening', { port: address.port });
  await publishUntilKnown();

  async function publishUntilKnown(): Promise<void> {
    while (
      lease.instance === undefined ||
      !(await publishManifest({ store, clock, entropy }, { pool, tools: published }, instance.context()))
    ) {
      await clock.sleep(runtimeLimits.retryLongestMs / 4);
    }
    isPublished = true;
    log.info('manifest_published', { pool, tools: published.length });
  }
}

function stopWith(problems: readonly string[]): void {
  process.stderr.write(`${problems.join('\n')}\n`);
  process.exit(wrongUsage);
}

void main();
