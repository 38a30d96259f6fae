/** Clock, randomness and log for specs. The clock goes by the global timers, so jest can turn it. */
import { randomUUID } from 'node:crypto';
import type { Clock, Entropy, Log, LogFields } from '@writ/runtime';

export const timerClock: Clock = {
  wallMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted === true) return resolve();
      const end = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', end);
        resolve();
      };
      const timer = setTimeout(end, ms);
      signal?.addEventListener('abort', end);
    }),
};

export const realEntropy: Entropy = { uuid: () => randomUUID(), random: () => Math.random() };

export interface RecordedLog extends Log {
  readonly lines: readonly { readonly level: string; readonly event: string; readonly fields: LogFields }[];
}

export function recordLog(): RecordedLog {
  const lines: { level: string; event: string; fields: LogFields }[] = [];
  const record = (level: string) => (event: string, fields: LogFields) =>
    void lines.push({ level, event, fields });
  return { lines, info: record('info'), warn: record('warn'), error: record('error') };
}
