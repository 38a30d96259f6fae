import type { Scheduler } from './scheduler';

export interface Sleep {
  readonly ms: number;
  readonly signal?: AbortSignal | undefined;
  /** How the sleeper hears that its time is over. */
  hear(then: () => void): void;
}

/** Who sleeps until a signal, in order. An abort signal takes a listener of ours once: its own book of listeners is slow. */
const sleepers = new WeakMap<AbortSignal, Set<() => void>>();

/** Over after `ms`, or at once when the signal aborts. */
export function sleepUntil(scheduler: Scheduler, { ms, signal, hear }: Sleep): Promise<void> {
  if (signal === undefined) return new Promise((resolve) => void scheduler.after(ms, () => hear(resolve)));
  if (signal.aborted) return Promise.resolve();
  const sleeping = sleepersOf(signal);
  return new Promise((resolve) => {
    const wake = (): void => {
      scheduler.cancel(timer);
      resolve();
    };
    const timer = scheduler.after(ms, () => {
      sleeping.delete(wake);
      hear(resolve);
    });
    sleeping.add(wake);
  });
}

function sleepersOf(signal: AbortSignal): Set<() => void> {
  const known = sleepers.get(signal);
  if (known !== undefined) return known;
  const sleeping = new Set<() => void>();
  signal.addEventListener('abort', () => sleeping.forEach((wake) => wake()), { once: true });
  sleepers.set(signal, sleeping);
  return sleeping;
}
