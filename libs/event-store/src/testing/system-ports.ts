import { randomUUID } from 'node:crypto';
import type { Clock, Entropy } from '@writ/runtime';

/** The machine's own time, for tests against servers. */
export const systemClock: Clock = {
  wallMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted === true) return resolve();
      const wake = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', wake);
        resolve();
      };
      const timer = setTimeout(wake, ms);
      signal?.addEventListener('abort', wake, { once: true });
    }),
};

export const systemEntropy: Entropy = { uuid: randomUUID, random: Math.random };
