import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EventData, Service } from '@writ/contracts';
import type { Bus, CrashPoints, EventStore, Log } from '@writ/runtime';
import { systemClock } from './clock';
import { crashPoints } from './crash-points';
import { wrongUsage } from './env';
import type { ServiceEnv } from './env/service-env';
import { writeOnFatal } from './fatal';
import type { HttpHandler, Probes } from './http';
import { serviceLimits } from './limits';
import { listenAlive, newSocketPaths, thisHost, type AliveSocket } from './instance-sockets';
import { createLog } from './log';
import { countingLog, createMetrics, type Metrics } from './metrics';
import { softwareVersion } from './version';

/** What a service process has before it looks at store or broker. */
export interface ServiceProcess {
  readonly name: string;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly crash: CrashPoints;
  /** The instance's first socket, already listening (protocol 7). */
  readonly alive: AliveSocket;
  /** Free for a tool host: the instance's second socket. */
  readonly toolHostSocket: string;
  /** For `InstanceStarted`; `more` is what only some services have. */
  started(more?: Pick<EventData<'InstanceStarted'>, 'pool' | 'slots'>): EventData<'InstanceStarted'>;
}

export async function startServiceProcess(service: Service, env: ServiceEnv): Promise<ServiceProcess> {
  const name = env.WRIT_INSTANCE_NAME;
  const metrics = createMetrics(service);
  const log = countingLog(createLog({ level: env.WRIT_LOG_LEVEL, service, instance: name }), metrics);
  writeOnFatal(log);
  const paths = newSocketPaths(join(tmpdir(), `writ-${process.getuid?.() ?? 0}`));
  const alive = await listenAlive(paths.process);
  const started: ServiceProcess['started'] = (more) => ({
    service,
    name,
    version: softwareVersion,
    host: thisHost(),
    pid: process.pid,
    sockets: more?.pool === undefined ? { process: paths.process } : paths,
    ...more,
  });
  const crash = crashPoints(env.WRIT_CRASH_AT, log);
  return { name, log, metrics, crash, alive, toolHostSocket: paths.toolHost, started };
}

/** Store and broker as `/readyz` tells them: `ok`, or what is missing. */
export async function storeAndBroker(
  store: EventStore,
  bus: Bus,
): Promise<{ store: string; broker: string }> {
  const bound = new AbortController();
  const tooLong = systemClock.sleep(serviceLimits.storeCheckMs, bound.signal).then(() => false);
  const answers = await Promise.race([store.ping(), tooLong]).finally(() => bound.abort());
  return {
    store: answers ? 'ok' : 'the event store does not answer',
    broker: bus.connected() ? 'ok' : 'not connected to NATS',
  };
}

/** Puts the probes into a server that takes handlers by path. */
export function mountProbes(app: { use(path: string, handler: HttpHandler): unknown }, probes: Probes): void {
  app.use('/livez', probes.livez);
  app.use('/readyz', probes.readyz);
  app.use('/metrics', probes.metrics);
  app.use('/openapi.json', probes.openapi);
}

/** Ends the process: what is wrong in single lines for a person, and the exit code of wrong usage. */
export function stopWith(problems: readonly string[]): never {
  process.stderr.write(`${problems.join('\n')}\n`);
  return process.exit(wrongUsage);
}

/** The line of a process that finds its name taken. */
export const nameIsTaken = (name: string): string =>
  `WRIT_INSTANCE_NAME: another live process is named ${name}; give each its own name`;
