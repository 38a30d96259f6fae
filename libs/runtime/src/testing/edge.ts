/** Time, chance and logs for specs: a clock that moves when told, ids that count up, a log that forgets. */
import type { Bus, Clock, Entropy, Log } from '../ports';

export interface ToldClock extends Clock {
  advance(ms: number): void;
}

/** Nobody sleeps by it: what waits for this clock waits until its signal aborts. */
export function toldClock(): ToldClock {
  let nowMs = 1_000_000;
  return {
    wallMs: () => nowMs,
    monotonicMs: () => nowMs,
    advance: (ms) => (nowMs += ms),
    sleep: (_ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted === true) resolve();
        else signal?.addEventListener('abort', () => resolve(), { once: true });
      }),
  };
}

export function countingEntropy(): Entropy {
  let count = 0;
  return {
    uuid: () => `00000000-0000-4000-8000-${String((count += 1)).padStart(12, '0')}`,
    random: () => 0,
  };
}

export const silentLog: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** Carries nothing, says that it did. */
export const silentBus: Bus = {
  wakeExecutor: () => Promise.resolve('published'),
  wakeApprovals: () => Promise.resolve('published'),
  consumeExecute: () => ({ drain: () => Promise.resolve() }),
  consumeApprovals: () => ({ drain: () => Promise.resolve() }),
  notice: () => undefined,
  cancel: () => undefined,
  onNotice: () => () => undefined,
  onCancel: () => () => undefined,
  connected: () => true,
  close: () => Promise.resolve(),
};
