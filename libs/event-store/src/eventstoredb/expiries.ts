import type { Clock } from '@writ/runtime';

export interface Expiry {
  /** Begins the time anew. */
  renew(): void;
  cancel(): void;
}

interface Waiting {
  readonly atMs: number;
  readonly expire: () => void;
}

/**
 * Many waits of the same length with one sleeper for all: the oldest always expires first, so that a wait that is
 * cancelled, as nearly all are, costs an entry in a map and no timer.
 */
export class Expiries {
  readonly #clock: Clock;
  readonly #timeoutMs: number;
  /** In the order in which they expire. */
  readonly #waiting = new Map<object, Waiting>();
  readonly #closing = new AbortController();
  #isSweeping = false;

  constructor(clock: Clock, timeoutMs: number) {
    this.#clock = clock;
    this.#timeoutMs = timeoutMs;
  }

  add(expire: () => void): Expiry {
    const key = {};
    const renew = () => {
      this.#waiting.delete(key);
      this.#waiting.set(key, { atMs: this.#clock.monotonicMs() + this.#timeoutMs, expire });
    };
    renew();
    void this.#sweep();
    return { renew, cancel: () => this.#waiting.delete(key) };
  }

  /** Nothing expires any more. */
  close(): void {
    this.#closing.abort();
    this.#waiting.clear();
  }

  async #sweep(): Promise<void> {
    if (this.#isSweeping) return;
    this.#isSweeping = true;
    for (let oldest = this.#oldest(); oldest !== undefined; oldest = this.#oldest()) {
      const [key, { atMs, expire }] = oldest;
      const leftMs = atMs - this.#clock.monotonicMs();
      if (leftMs > 0) await this.#clock.sleep(leftMs, this.#closing.signal);
      else if (this.#waiting.delete(key)) expire();
    }
    this.#isSweeping = false;
  }

  #oldest(): [object, Waiting] | undefined {
    for (const entry of this.#waiting) return entry;
    return undefined;
  }
}
