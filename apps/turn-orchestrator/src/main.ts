import 'reflect-metadata';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { streamPrefixes, workStateSchema } from '@writ/contracts';
import { connectEventStore } from '@writ/event-store';
import { connectBus } from '@writ/messaging';
import { WritTransport } from '@writ/nest-nats';
import { emptyWork, foldWork } from '@writ/protocol';
import { Instance, ProjectionRunner, runtimeLimits, ToolCatalog, type SessionPorts } from '@writ/runtime';
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
  probes,
  readEnv,
  softwareVersion as version,
  stateFile,
  systemClock as clock,
  systemEntropy as entropy,
  thisHost,
  writeOnFatal,
  wrongUsage,
} from '@writ/service';
import { orchestratorApi } from './api';
import { AppModule } from './app.module';
import { chooseModel } from './choose-model';
import { Desk } from './desk';
import { orchestratorEnv } from './env';
import { ProblemFilter } from './http/problem.filter';
import { loadRules } from './load-rules';

const service = 'turn-orchestrator';
const largestBody = '4mb';

async function main(): Promise<void> {
  const env = readEnv(orchestratorEnv, process.env);
  const name = env.WRIT_INSTANCE_NAME;
  const metrics = createMetrics(service);
  const log = countingLog(createLog({ level: env.WRIT_LOG_LEVEL, service, instance: name }), metrics);
  writeOnFatal(log);
  const loaded = loadRules(env);
  if (!loaded.ok) return stopWith(loaded.problems);
  const chosen = chooseModel(env);
  if (!chosen.ok) return stopWith([chosen.problem]);
  const { process: processSocket } = newSocketPaths(join(tmpdir(), `writ-${process.getuid?.() ?? 0}`));
  const alive = await listenAlive(processSocket);

  const crash = crashPoints(env.WRIT_CRASH_AT, log);
  const store = connectEventStore({
    url: env.WRIT_EVENTSTORE_URL,
    appendTimeoutMs: env.WRIT_APPEND_TIMEOUT_MS,
    resolveMs: env.WRIT_APPEND_RESOLVE_MS,
    clock,
    entropy,
    log,
  });
  const bus = connectBus({ url: env.WRIT_NATS_URL, name: `${service}.${name}`, log, clock, entropy });
  const catalog = new ToolCatalog(store, log);
  const instance = new Instance({
    store,
    clock,
    entropy,
    log,
    crash,
    probe: instanceProbe(),
    ttlMs: env.WRIT_LEASE_TTL_MS,
    started: {
      service,
      name,
      version,
      host: thisHost(),
      pid: process.pid,
      sockets: { process: processSocket },
    },
    onLost: () => desk.sessions.lookAgain(),
    onLeaseEnded: () => desk.sessions.lookAgain(),
    onClone: () =>
      stopWith([`WRIT_INSTANCE_NAME: another live process is named ${name}; give each its own name`]),
  });
  const { lease, watch } = instance;
  const ports: SessionPorts = {
    store,
    clock,
    entropy,
    log,
    crash,
    bus,
    model: chosen.model,
    lease,
    watch,
    catalog,
  };
  const work = new ProjectionRunner({
    name: 'work',
    version: 1,
    prefixes: [streamPrefixes.session, streamPrefixes.call, streamPrefixes.lease],
    initial: emptyWork(),
    stateSchema: workStateSchema,
    apply: foldWork,
    store,
    clock,
    log,
    ...(env.WRIT_STATE_DIR === undefined ? {} : { file: stateFile(join(env.WRIT_STATE_DIR, 'work.json')) }),
  });
  const desk = new Desk({ ports, rules: loaded.rules, instance, work });

  const app = await NestFactory.create<NestExpressApplication>(AppModule.over(desk), { logger: ['error'] });
  app.useGlobalFilters(new ProblemFilter(log));
  app.useBodyParser('json', { limit: largestBody });
  const {
    livez,
    readyz,
    metrics: metricsHandler,
    openapi,
  } = probes({
    metrics,
    openapi: orchestratorApi,
    readiness: async () => ({
      store: (await store.ping()) ? 'ok' : 'the event store does not answer',
      broker: bus.connected() ? 'ok' : 'not connected to NATS',
      lease: desk.readiness(),
    }),
  });
  app
    .use('/livez', livez)
    .use('/readyz', readyz)
    .use('/metrics', metricsHandler)
    .use('/openapi.json', openapi);
  app.connectMicroservice({
    strategy: new WritTransport({ bus, log, clock, drainMs: runtimeLimits.drainToolsMs }),
  });

  onShutdown(
    [
      { name: 'sessions', run: () => desk.stop() },
      { name: 'transport', run: () => app.close() },
      { name: 'projections', run: () => Promise.all([work.close(), catalog.close()]) },
      { name: 'lease', run: () => instance.end() },
      { name: 'sockets', run: () => alive.close() },
      { name: 'broker', run: () => bus.close() },
      { name: 'store', run: () => store.close() },
    ],
    { log },
  );
  const address = { host: env.WRIT_HTTP_HOST, port: env.WRIT_HTTP_PORT };
  await listenOrExit(address, () => app.listen(address.port, address.host));
  instance.start();
  void work.start();
  desk.start();
  await app.startAllMicroservices();
  log.info('listening', { port: address.port });
}

function stopWith(problems: readonly string[]): void {
  process.stderr.write(`${problems.join('\n')}\n`);
  process.exit(wrongUsage);
}

void main();
