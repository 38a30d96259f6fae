import type { EventStore } from '@writ/runtime';

/** Milliseconds; a case that waits for an unknown outcome wants them short. */
export interface ClientTimes {
  readonly appendTimeoutMs: number;
  /** 0 tries an append once. */
  readonly resolveMs: number;
}

/** As `POST /faults` of the embedded server takes it. */
export interface Fault {
  readonly on: 'append' | 'read' | 'subscribe';
  readonly stream: string;
  readonly do: string;
  readonly ms?: number;
  readonly times?: number;
  readonly eventType?: string;
}

/** One store, which keeps what it holds while it is restarted. */
export interface StoreUnderTest {
  /** A new client of the store; the suite closes it. */
  connect(times?: Partial<ClientTimes>): EventStore;
  /** Ends the server without a word and starts it again on the same data and address. */
  restart?(): Promise<void>;
  /** Stops the server where it stands, and lets it go on. */
  freeze?(): void;
  thaw?(): void;
  arm?(fault: Fault): Promise<void>;
  /** Disarms all faults and releases what they hold. */
  heal?(): Promise<void>;
  stop(): Promise<void>;
}

export interface Abilities {
  readonly restarts?: boolean;
  readonly freezes?: boolean;
  readonly faults?: boolean;
}
