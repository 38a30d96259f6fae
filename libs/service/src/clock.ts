import { randomUUID } from 'node:crypto';
import type { Clock, Entropy } from '@writ/runtime';
import { serviceLimits } from './limits';

/** The machine's clocks. `hrtime` is CLOCK_MONOTONIC on Linux, so processes of one host may compare its readings. */
export const systemClock: Clock = {
  wallMs: () => Date.now(),
  monotonicMs: () => Number(process.hrtime.bigint() / 1_000n) / 1_000,
  sleep,
};

/** The machine's randomness. */
export const systemEntropy: Entropy = {
  uuid: () => randomUUID(),
  random: () => Math.random(),
};

function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, Math.min(Math.max(ms, 0), serviceLimits.longestTimerMs));
    signal?.addEventListener('abort', end, { once: true });
  });
}
