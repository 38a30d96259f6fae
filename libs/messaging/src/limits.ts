/** Every bound of the bus, with its unit. Tests may narrow some of them (`BusLimits`). */

/** A wake is under 300 bytes (contracts: two ids, a revision, a traceparent); the rest is room for later versions. */
export const MAX_WAKE_BYTES = 4_096;
/** A notice or a cancel, in bytes. */
export const MAX_HINT_BYTES = 1_024;
/** A stored command with its headers, in bytes. */
export const MAX_STORED_COMMAND_BYTES = 2 * MAX_WAKE_BYTES;

/** A wake that nobody took for an hour is of no use: whoever still needs it has sent newer ones (protocol 6). */
export const COMMAND_MAX_AGE_MS = 60 * 60_000;
/** The whole stream, in bytes; JetStream reserves as much of the disk. */
export const COMMANDS_MAX_BYTES = 64 * 1_024 * 1_024;
/** Wakes kept per pool: a pool without executors displaces its own oldest wakes, not those of other pools. */
export const COMMANDS_PER_SUBJECT = 10_000;
/** Broker-side deduplication of one publish and its repeat; a help, never the guard (F26). */
export const DUPLICATE_WINDOW_MS = 60_000;

/** Deliveries of one pool that may be unacknowledged. Above what a pool can hold, so that stuck ones never block the rest (F25). */
export const MAX_ACK_PENDING = 2 * COMMANDS_PER_SUBJECT;
/** Pull requests that wait at one durable consumer, of all its executors. */
export const MAX_WAITING_PULLS = 2_048;
/** Deliveries asked for in one pull. */
export const MAX_PULL_BATCH = 64;
/** How long one pull waits at the broker, in ms. */
export const PULL_EXPIRES_MS = 10_000;
/** How often a consumption without a pull under way looks at its free slots, in ms. */
export const SLOT_POLL_MS = 25;
/** A delivery that met no free slot goes back for this long, in ms. */
export const NO_SLOT_DELAY_MS = 250;
/** A delivery whose handler threw goes back for this long, in ms. */
export const HANDLER_FAILED_DELAY_MS = 1_000;
/** The longest delay that a handler may ask for, in ms. */
export const MAX_NAK_DELAY_MS = 10 * 60_000;

/** How long a publish may take before its outcome is unknown, in ms. */
export const PUBLISH_DEADLINE_MS = 2_000;
/** One question to the JetStream API, in ms. */
export const API_DEADLINE_MS = 5_000;
/** One attempt to connect, in ms. */
export const CONNECT_TIMEOUT_MS = 2_000;
/** A silent connection is given up after (MAX_PINGS_OUT + 1) of these, in ms. */
export const PING_INTERVAL_MS = 2_000;
export const MAX_PINGS_OUT = 2;
/** Waits between attempts (to connect, to prepare the stream), doubled from the first to the second, in ms; half of each is jitter. */
export const RETRY_FIRST_MS = 50;
export const RETRY_MAX_MS = 2_000;
/** What `close` gives the last acknowledgements to leave, in ms. */
export const CLOSE_FLUSH_MS = 500;

export interface BusLimits {
  /** A delivery not answered within this time is delivered again, in ms. Handlers answer once a claim is acknowledged. */
  readonly ackWaitMs: number;
  readonly handlerFailedDelayMs: number;
  readonly publishDeadlineMs: number;
}

export const defaultBusLimits: BusLimits = {
  ackWaitMs: 30_000,
  handlerFailedDelayMs: HANDLER_FAILED_DELAY_MS,
  publishDeadlineMs: PUBLISH_DEADLINE_MS,
};

if (MAX_ACK_PENDING < COMMANDS_PER_SUBJECT) throw new Error('stuck deliveries could block a pool');
if (DUPLICATE_WINDOW_MS > COMMAND_MAX_AGE_MS)
  throw new Error('the broker remembers ids no longer than messages');
