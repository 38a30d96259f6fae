import { createServer, type Server } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { stackLimits } from '../limits';
import { host, neededPorts, type Instances, type NeededPort } from './addresses';

/** Below the range from which systems hand out ports of their own accord; whoever holds the guard port holds the base. */
const freeBases = { from: 20_000, step: 100, count: 120, guard: 99 } as const;

/** The first port that somebody else holds, once a stack that is just ending has had its time. */
export async function takenPort(ports: readonly NeededPort[]): Promise<NeededPort | undefined> {
  const deadline = performance.now() + stackLimits.portFreeMs;
  for (;;) {
    const taken = await firstTaken(ports);
    if (taken === undefined || performance.now() > deadline) return taken;
    await sleep(stackLimits.pollMs);
  }
}

export interface Reservation {
  readonly portBase: number;
  /** For others to take; the end of this process releases it as well. */
  release(): void;
}

/** A base whose ports are all free, kept from every other stack that looks for one until it is released. */
export async function reservePorts(instances: Instances): Promise<Reservation | undefined> {
  const first = process.pid % freeBases.count;
  for (let tried = 0; tried < freeBases.count; tried += 1) {
    const portBase = freeBases.from + freeBases.step * ((first + tried) % freeBases.count);
    const guard = await listen(portBase + freeBases.guard);
    if (guard === undefined) continue;
    if ((await firstTaken(neededPorts(portBase, instances))) === undefined) {
      return { portBase, release: () => void guard.close() };
    }
    guard.close();
  }
  return undefined;
}

async function firstTaken(ports: readonly NeededPort[]): Promise<NeededPort | undefined> {
  for (const needed of ports) if (!(await isFree(needed.port))) return needed;
  return undefined;
}

async function isFree(port: number): Promise<boolean> {
  const server = await listen(port);
  await new Promise((resolve) => (server === undefined ? resolve(undefined) : server.close(resolve)));
  return server !== undefined;
}

/** Undefined where somebody else listens. Keeps no process alive. */
function listen(port: number): Promise<Server | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(undefined));
    server.listen(port, host, () => resolve(server.unref()));
  });
}
