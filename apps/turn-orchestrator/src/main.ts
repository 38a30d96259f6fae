import 'reflect-metadata';
import { join } from 'node:path';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { connectEventStore } from '@writ/event-store';
import { connectBus } from '@writ/messaging';
import { WritTransport } from '@writ/nest-nats';
import { Instance, runtimeLimits, ToolCatalog, workProjection, type Bus } from '@writ/runtime';
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
  type ServiceProcess,
} from '@writ/service';
import { orchestratorApi } from './api';
import { AppModule } from './app.module';
import { chooseModel } from './choose-model';
import { Desk } from './desk';
import { orchestratorEnv } from './env';
import { ProblemFilter } from './http/problem.filter';
import { loadRules } from './load-rules';
import { observeUnclaimed } from './observe-unclaimed';

const service = 'turn-orchestrator';
const largestBody = '4mb';

async function main(): Promise<void> {
  const env = readEnv(orchestratorEnv, process.env);
  const own = await startServiceProcess(service, env);
  const { log, crash } = own;
  const loaded = loadRules(env);
  if (!loaded.ok) return stopWith(loaded.problems);
  const chosen = chooseModel(env);
  if (!chosen.ok) return stopWith([chosen.problem]);
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
    started: own.started(),
    onLost: () => desk.sessions.lookAgain(),
    onLeaseEnded: () => desk.sessions.lookAgain(),
    onClone: () => stopWith([nameIsTaken(own.name)]),
  });
  const catalog = new ToolCatalog(store, log);
  const file =
    env.WRIT_STATE_DIR === undefined ? undefined : stateFile(join(env.WRIT_STATE_DIR, 'work.json'));
  const work = workProjection({
    store,
    clock,
    log,
    ...(file === undefined ? {} : { file }),
    onChange: (event) => desk.sessions.committed(event),
  });
  observeUnclaimed(own.metrics, work, clock);
  const { lease, watch } = instance;
  const ports = { ...edge, bus, model: chosen.model, lease, watch, catalog };
  const desk = new Desk({ ports, rules: loaded.rules, instance, work });
  const app = await serve({ own, bus, desk }, async () => ({
    ...(await storeAndBroker(store, bus)),
    lease: desk.readiness(),
  }));

  onShutdown(
    [
      { name: 'sessions', run: () => desk.stop() },
      { name: 'transport', run: () => app.close() },
      { name: 'projections', run: () => Promise.all([work.close(), catalog.close()]) },
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
  log.info('listening', { port: address.port });
}

interface Served {
  readonly own: ServiceProcess;
  readonly bus: Bus;
  readonly desk: Desk;
}

async function serve(
  { own, bus, desk }: Served,
  readiness: Parameters<typeof probes>[0]['readiness'],
): Promise<NestExpressApplication> {
  const { metrics, log } = own;
  const app = await NestFactory.create<NestExpressApplication>(AppModule.over(desk), { logger: ['error'] });
  app.useGlobalFilters(new ProblemFilter(log));
  app.useBodyParser('json', { limit: largestBody });
  mountProbes(app, probes({ metrics, openapi: orchestratorApi, readiness }));
  app.connectMicroservice({
    strategy: new WritTransport({ bus, log, clock, drainMs: runtimeLimits.drainToolsMs }),
  });
  return app;
}

void main();
