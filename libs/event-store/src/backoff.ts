import type { Entropy } from '@writ/runtime';

export interface BackoffOptions {
  /** Milliseconds. */
  readonly firstMs: number;
  readonly lastMs: number;
  readonly entropy: Entropy;
}

/** Waits that double up to a last one; half of each is random, so that many who failed together do not return together. */
export class Backoff {
  readonly #options: BackoffOptions;
  #nextMs: number;

  constructor(options: BackoffOptions) {
    this.#options = options;
    this.#nextMs = options.firstMs;
  }

  nextMs(): number {
    const wholeMs = this.#nextMs;
    this.#nextMs = Math.min(wholeMs * 2, this.#options.lastMs);
    return wholeMs / 2 + (this.#options.entropy.random() * wholeMs) / 2;
  }

  reset(): void {
    this.#nextMs = this.#options.firstMs;
  }
}
