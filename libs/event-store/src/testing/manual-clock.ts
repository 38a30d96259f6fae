import type { Clock, Entropy } from '@writ/runtime';

/** A clock that stands still until it is told: `run` lets work go on, moving time from one sleeper to the next. */
export class ManualClock implements Clock {
  #nowMs = 0;
  readonly #sleepers = new Set<{ readonly atMs: number; readonly wake: () => void }>();

  wallMs(): number {
    return this.#nowMs;
  }

  monotonicMs(): number {
    return this.#nowMs;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted === true) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = () => {
        this.#sleepers.delete(sleeper);
        resolve();
      };
      const sleeper = { atMs: this.#nowMs + ms, wake };
      this.#sleepers.add(sleeper);
      signal?.addEventListener('abort', wake, { once: true });
    });
  }

  /** What `work` gives, while time jumps to the next sleeper whenever everything waits. */
  async run<T>(work: Promise<T>): Promise<T> {
    let done = false;
    const finished = work.finally(() => {
      done = true;
    });
    finished.catch(() => undefined);
    for (;;) {
      await new Promise(setImmediate);
      if (done) return finished;
      const [next] = [...this.#sleepers].sort((a, b) => a.atMs - b.atMs);
      if (next === undefined) throw new Error('everything waits, and not for the clock');
      this.#nowMs = Math.max(this.#nowMs, next.atMs);
      next.wake();
    }
  }
}

/** Ids that count up, and no chance at all. */
export function countingEntropy(): Entropy {
  let count = 0;
  return { uuid: () => `00000000-0000-4000-8000-${String((count += 1)).padStart(12, '0')}`, random: () => 0 };
}
