import type { Cancel, ControlNotice, Notice, Wake } from '@writ/contracts';

/** A wake was taken by the broker, or nobody knows: it is sent again by whoever still needs it (R16). */
export type PublishOutcome = 'published' | 'unknown';

/** What becomes of a delivery (protocol 6). */
export type DeliveryVerdict =
  { readonly verdict: 'ack' } | { readonly verdict: 'nak'; readonly delayMs: number };

export interface Consumption {
  /** Stops taking deliveries, waits for the handlers under way, at most `timeoutMs`. */
  drain(timeoutMs: number): Promise<void>;
}

export interface ConsumeOptions {
  /**
   * How many deliveries may be handled at a time, as of now; no more are pulled. The bus takes off the deliveries whose
   * `handle` is under way, so a constant is a limit, and an executor subtracts only what it runs beyond `handle`.
   */
  readonly free: () => number;
  /** Must not throw; if it does, the delivery is given back after a delay (never lost, never fatal). */
  handle(wake: Wake): Promise<DeliveryVerdict>;
}

/** The broker: wake-ups, notices and hints; never a fact (protocol 6). */
export interface Bus {
  wakeExecutor(pool: string, wake: Wake): Promise<PublishOutcome>;
  wakeApprovals(wake: Wake): Promise<PublishOutcome>;
  consumeExecute(pool: string, options: ConsumeOptions): Consumption;
  /** `writ.approve`: one queue for all approval services. */
  consumeApprovals(options: ConsumeOptions): Consumption;
  /** Core NATS, lossy, never waits. */
  notice(notice: Notice | ControlNotice): void;
  cancel(cancel: Cancel): void;
  /** Notices of all sessions; the listener must not throw. */
  onNotice(listener: (notice: Notice | ControlNotice) => void): () => void;
  onCancel(listener: (cancel: Cancel) => void): () => void;
  connected(): boolean;
  close(): Promise<void>;
}
