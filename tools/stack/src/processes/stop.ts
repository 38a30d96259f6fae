import { setTimeout as sleep } from 'node:timers/promises';
import { stackLimits } from '../limits';
import type { Supervised } from './supervised';

/** Services first, since a service that ends still has a lease to release; then what they need. SIGKILL at the bound. */
export async function stopAll(processes: readonly Supervised[]): Promise<void> {
  const ofKind = (kind: 'service' | 'store'): readonly Supervised[] =>
    processes.filter((process) => process.plan.kind === kind);
  await stopTogether(ofKind('service'), stackLimits.stopServicesMs);
  await stopTogether(ofKind('store'), stackLimits.stopStoresMs);
}

export async function stopTogether(processes: readonly Supervised[], patienceMs: number): Promise<void> {
  for (const process of processes) process.signal('SIGTERM');
  await allEnded(processes, patienceMs);
  await killTogether(processes);
}

export async function killTogether(processes: readonly Supervised[]): Promise<void> {
  const alive = processes.filter((process) => process.signal('SIGKILL'));
  if (alive.length > 0) await allEnded(alive, stackLimits.reapMs);
}

async function allEnded(processes: readonly Supervised[], boundMs: number): Promise<void> {
  const controller = new AbortController();
  const ended = Promise.all(
    processes.filter((process) => process.isAlive).map((process) => process.waitForExit()),
  );
  const bound = sleep(boundMs, undefined, { signal: controller.signal }).catch(() => undefined);
  await Promise.race([ended, bound]);
  controller.abort();
}
