/** Virtual time: it moves only when everything that can run has run, from one timer to the next. */

export interface Timer {
  readonly atMs: number;
  readonly order: number;
  /** Undefined once it was cancelled. */
  fire: (() => void) | undefined;
}

/** A discrete-event scheduler. Timers of one moment fire in the order in which they were set. */
export class Scheduler {
  #nowMs = 0;
  #orders = 0;
  readonly #heap: Timer[] = [];

  get nowMs(): number {
    return this.#nowMs;
  }

  after(ms: number, fire: () => void): Timer {
    const timer: Timer = { atMs: this.#nowMs + Math.max(0, ms), order: (this.#orders += 1), fire };
    this.#push(timer);
    return timer;
  }

  cancel(timer: Timer): void {
    timer.fire = undefined;
  }

  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => void this.after(ms, resolve));
  }

  /** Runs until `done` or virtual `untilMs`; answers whether it was `done`. `done` is asked once per moment. */
  run(done: () => boolean, untilMs: number): Promise<boolean> {
    return new Promise((resolve, reject) => {
      const moment = (): void => {
        try {
          const answer = this.#moment(done, untilMs);
          if (answer === undefined) afterPromiseJobs(soon);
          else resolve(answer);
        } catch (error) {
          reject(error instanceof Error ? error : new Error('what a timer did threw'));
        }
      };
      const soon = (): void => process.nextTick(moment);
      afterPromiseJobs(soon);
    });
  }

  /** Fires the next timer, or says how the run ended. */
  #moment(done: () => boolean, untilMs: number): boolean | undefined {
    if (done()) return true;
    const timer = this.#pop();
    if (timer === undefined) return false;
    if (timer.atMs > untilMs) {
      this.#push(timer);
      this.#nowMs = untilMs;
      return false;
    }
    this.#nowMs = timer.atMs;
    timer.fire?.();
    return undefined;
  }

  #push(timer: Timer): void {
    const heap = this.#heap;
    let at = heap.push(timer) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const above = heap[parent];
      if (above === undefined || isBefore(above, timer)) break;
      heap[at] = above;
      at = parent;
    }
    heap[at] = timer;
  }

  /** The next timer that was not cancelled. */
  #pop(): Timer | undefined {
    for (;;) {
      const top = this.#heap[0];
      const last = this.#heap.pop();
      if (top === undefined || last === undefined) return undefined;
      if (top !== last) this.#sink(last);
      if (top.fire !== undefined) return top;
    }
  }

  #sink(timer: Timer): void {
    const heap = this.#heap;
    let at = 0;
    for (;;) {
      const left = heap[2 * at + 1];
      const right = heap[2 * at + 2];
      if (left === undefined) break;
      const isRight = right !== undefined && isBefore(right, left);
      const child = isRight ? right : left;
      if (isBefore(timer, child)) break;
      heap[at] = child;
      at = 2 * at + (isRight ? 2 : 1);
    }
    heap[at] = timer;
  }
}

const done = Promise.resolve();

/** A tick that a promise job asks for comes once all promise jobs are done, and without a turn of the event loop. */
const afterPromiseJobs = (askForTick: () => void): void => void done.then(askForTick);

const isBefore = (a: Timer, b: Timer): boolean => a.atMs < b.atMs || (a.atMs === b.atMs && a.order < b.order);
