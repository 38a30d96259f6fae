import 'reflect-metadata';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { streamPrefixes, workStateSchema } from '@writ/contracts';
import { connectEventStore } from '@writ/event-store';
import { connectBus } from '@writ/messaging';
import { emptyWork, foldWork } from '@writ/protocol';
import { Instance, ProjectionRunner } from '@writ/runtime';
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
import { approvalsApi } from './api';
import { AppModule } from './app.module';
import { Desk } from './desk';
import { approvalEnv } from './env';
import { ProblemFilter } from './problem.filter';

const service = 'approval-service';

async function main(): Promise<void> {
  const env = readEnv(approvalEnv, process.env);
  const name = env.WRIT_INSTANCE_NAME;
  const metrics = createMetrics(service);
  const log = countingLog(createLog({ level: env.WRIT_LOG_LEVEL, service, instance: name }), metrics);
  writeOnFatal(log);
  const { process: processSocket } = newSocketPaths(join(tmpdir(), `writ-${process.getuid?.() ?? 0}`));
  const alive = await listenAlive(processSocket);
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
    crash: crashPoints(env.WRIT_CRASH_AT, log),
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
    onLost: () => undefined,
    onLeaseEnded: () => undefined,
    onClone: () => {
      process.stderr.write(
        `WRIT_INSTANCE_NAME: another live process is named ${name}; give each its own name\n`,
      );
      process.exit(wrongUsage);
    },
  });
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

  const app = await NestFactory.create<NestExpressApplication>(AppModule.over(new Desk(store, work)), {
    logger: ['error'],
  });
  app.useGlobalFilters(new ProblemFilter(log));
  const {
    livez,
    readyz,
    metrics: metricsHandler,
    openapi,
  } = probes({
    metrics,
    openapi: approvalsApi,
    readiness: async () => ({
      store: (await store.ping()) ? 'ok' : 'the event store does not answer',
      broker: bus.connected() ? 'ok' : 'not connected to NATS',
      lease: instance.readiness(),
    }),
  });
  app
    .use('/livez', livez)
    .use('/readyz', readyz)
    .use('/metrics', metricsHandler)
    .use('/openapi.json', openapi);

  onShutdown(
    [
      { name: 'http', run: () => app.close() },
      { name: 'projections', run: () => work.close() },
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
  log.info('listening', { port: address.port });
}

void main();
