/** Time enters the system here. */
export interface Clock {
  /** Wall clock, milliseconds since 1970, for what people read; never compared between machines. */
  wallMs(): number;
  /** Monotonic milliseconds; on Linux CLOCK_MONOTONIC, comparable between processes of one host. */
  monotonicMs(): number;
  /** Ends after `ms`, or at once when the signal aborts (it does not reject). */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** Randomness enters here: ids and jitter. */
export interface Entropy {
  uuid(): string;
  /** In [0, 1). */
  random(): number;
}
