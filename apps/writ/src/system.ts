import { randomUUID } from 'node:crypto';
import { setTimeout as after } from 'node:timers/promises';
import type { Clock, Entropy } from '@writ/runtime';

/** The machine's clocks. */
export const clock: Clock = {
  wallMs: () => Date.now(),
  monotonicMs: () => Number(process.hrtime.bigint() / 1_000n) / 1_000,
  sleep: (ms, signal) => after(ms, undefined, signal === undefined ? {} : { signal }).catch(() => undefined),
};

/** The machine's randomness. */
export const entropy: Entropy = { uuid: () => randomUUID(), random: () => Math.random() };
