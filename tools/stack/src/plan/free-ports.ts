import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { stackLimits } from '../limits';
import { host, neededPorts, type Instances, type NeededPort } from './addresses';

/** Below the range from which systems hand out ports of their own accord. */
const freeBases = { from: 20_000, step: 100, count: 120 } as const;

/** The first port that somebody else holds, once a stack that is just ending has had its time. */
export async function takenPort(ports: readonly NeededPort[]): Promise<NeededPort | undefined> {
  const deadline = performance.now() + stackLimits.portFreeMs;
  for (;;) {
    const taken = await firstTaken(ports);
    if (taken === undefined || performance.now() > deadline) return taken;
    await sleep(stackLimits.pollMs);
  }
}

/** A base whose ports are all free at this moment, tried from a place that parallel runs are unlikely to share. */
export async function findFreePorts(instances: Instances): Promise<number | undefined> {
  const first = process.pid % freeBases.count;
  for (let tried = 0; tried < freeBases.count; tried += 1) {
    const base = freeBases.from + freeBases.step * ((first + tried) % freeBases.count);
    if ((await firstTaken(neededPorts(base, instances))) === undefined) return base;
  }
  return undefined;
}

async function firstTaken(ports: readonly NeededPort[]): Promise<NeededPort | undefined> {
  for (const needed of ports) if (!(await isFree(needed.port))) return needed;
  return undefined;
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, host, () => server.close(() => resolve(true)));
  });
}
