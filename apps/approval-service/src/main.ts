import 'reflect-metadata';
import { join } from 'node:path';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { connectEventStore } from '@writ/event-store';
import { connectBus } from '@writ/messaging';
import { WritTransport } from '@writ/nest-nats';
import {
  ApprovalDesk,
  ApprovalLists,
  DoubtDesk,
  Instance,
  runtimeLimits,
  workProjection,
} from '@writ/runtime';
import {
  instanceProbe,
  listenOrExit,
  mountProbes,
  nameIsTaken,
  observeBus,
  onShutdown,
  probes,
  readEnv,
  startServiceProcess,
  stateFile,
  stopWith,
  storeAndBroker,
  systemClock as clock,
  systemEntropy as entropy,
} from '@writ/service';
import { approvalsApi } from './api';
import { AppModule } from './app.module';
import { approvalEnv } from './env';
import { ProblemFilter } from './problem.filter';

const service = 'approval-service';

async function main(): Promise<void> {
  const env = readEnv(approvalEnv, process.env);
  const own = await startServiceProcess(service, env);
  const { log, crash, metrics } = own;
  const store = connectEventStore({
    url: env.WRIT_EVENTSTORE_URL,
    appendTimeoutMs: env.WRIT_APPEND_TIMEOUT_MS,
    resolveMs: env.WRIT_APPEND_RESOLVE_MS,
    clock,
    entropy,
    log,
  });
  const bus = connectBus({ url: env.WRIT_NATS_URL, name: `${service}.${own.name}`, log, clock, entropy });
  observeBus(metrics, () => ({ ...bus.counters() }));
  const instance = new Instance({
    store,
    clock,
    entropy,
    log,
    crash,
    probe: instanceProbe(),
    ttlMs: env.WRIT_LEASE_TTL_MS,
    started: own.started(),
    onLost: () => undefined,
    onLeaseEnded: () => undefined,
    onClone: () => stopWith([nameIsTaken(own.name)]),
  });
  const file =
    env.WRIT_STATE_DIR === undefined ? undefined : stateFile(join(env.WRIT_STATE_DIR, 'work.json'));
  const work = workProjection({ store, clock, log, ...(file === undefined ? {} : { file }) });

  const ports = { store, clock, entropy, log, crash, bus, context: () => instance.context() };
  const desk = new ApprovalDesk(ports, work);
  const module = AppModule.over({
    desk,
    doubts: new DoubtDesk(ports, work),
    lists: new ApprovalLists(store, work),
  });
  const app = await NestFactory.create<NestExpressApplication>(module, { logger: ['error'] });
  app.useGlobalFilters(new ProblemFilter(log));
  const readiness = async () => ({ ...(await storeAndBroker(store, bus)), lease: instance.readiness() });
  mountProbes(app, probes({ metrics, openapi: approvalsApi, readiness }));
  const approve = { free: () => runtimeLimits.attendedAtOnce };
  app.connectMicroservice({
    strategy: new WritTransport({ bus, log, clock, approve, drainMs: runtimeLimits.drainToolsMs }),
  });

  onShutdown(
    [
      { name: 'transport', run: () => app.close() },
      { name: 'deadlines', run: () => desk.stop() },
      { name: 'projections', run: () => work.close() },
      { name: 'lease', run: () => instance.end() },
      { name: 'sockets', run: () => own.alive.close() },
      { name: 'broker', run: () => bus.close() },
      { name: 'store', run: () => store.close() },
    ],
    { log },
  );
  const address = { host: env.WRIT_HTTP_HOST, port: env.WRIT_HTTP_PORT };
  await listenOrExit(address, () => app.listen(address.port, address.host));
  instance.start();
  work.start();
  desk.start();
  await app.startAllMicroservices();
  log.warn('decisions_are_unauthenticated', { host: address.host });
  log.info('listening', { port: address.port });
}

void main();
