import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { stackLimits } from '../limits';
import { host, type Sign } from '../plan';
import type { Supervised } from './supervised';

export type Wait = 'ready' | 'ended' | 'too_slow';

/** Until the process shows its sign, ends, or takes longer than the bound. */
export async function waitReady(process: Supervised, boundMs: number = stackLimits.readyMs): Promise<Wait> {
  const deadline = performance.now() + boundMs;
  while (performance.now() < deadline) {
    if (!process.isAlive) return 'ended';
    // Somebody else's answer on the same port would be no sign of ours, so look again whether it lives.
    if ((await shows(process.plan.ready)) && process.isAlive) return 'ready';
    await sleep(stackLimits.pollMs);
  }
  return 'too_slow';
}

function shows(sign: Sign): Promise<boolean> {
  return sign.kind === 'port' ? accepts(sign.port) : answers(sign.url);
}

async function answers(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(stackLimits.probeMs) });
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false;
  }
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: stackLimits.probeMs });
    const end = (isOpen: boolean): void => {
      socket.destroy();
      resolve(isOpen);
    };
    socket.once('connect', () => end(true));
    socket.once('error', () => end(false));
    socket.once('timeout', () => end(false));
  });
}
