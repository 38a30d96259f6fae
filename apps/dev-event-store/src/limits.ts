/** Every bound of the development event store, with its unit. One file, so that a reader can judge them together. */

const KIB = 1024;
const MIB = 1024 * KIB;

/** Bytes of one append as EventStoreDB 20.x to 25.0 counts them (data, metadata, two bytes per type character). */
export const MAX_APPEND_BYTES = MIB;

/** Bytes of one record in the log; many tiny events cost more framing than `MAX_APPEND_BYTES` counts. */
export const MAX_RECORD_BYTES = 16 * MIB;

/** Bytes of one gRPC message that the server takes; the client's own limit is 17 MiB, its chunks are 3 MiB. */
export const MAX_RECEIVE_BYTES = 32 * MIB;

/** Events of one append whose pieces are still arriving. */
export const MAX_EVENTS_PER_APPEND = 100_000;

/** Bytes of a stream name or an event type in UTF-8. */
export const MAX_NAME_BYTES = 1024;

/** Bytes that may wait for their fdatasync before new appends are told that the server is too busy. */
export const MAX_PENDING_BYTES = 64 * MIB;

/** Bytes that one write and one fdatasync cover at most. */
export const MAX_GROUP_BYTES = 8 * MIB;

/** Appends of one BatchAppend stream that may wait for an answer before the stream is read no further. */
export const MAX_PENDING_APPENDS_PER_STREAM = 4096;

/** Appends of one BatchAppend stream of which only some pieces have arrived. */
export const MAX_PARTIAL_APPENDS_PER_STREAM = 256;

/** HTTP/2 streams per connection; every subscription, read and unary append takes one. */
export const MAX_STREAMS_PER_CONNECTION = 1000;

/** Bytes of recent events kept in memory; older ones are read from the log. */
export const RECENT_EVENTS_BYTES = 64 * MIB;

/** Bytes of the memory that recognises repeats of `any` appends; empty after a restart, as in EventStoreDB. */
export const RECENT_IDS_BYTES = 8 * MIB;

/** Events and bytes that one step of a read or a subscription loads. */
export const PAGE_EVENTS = 128;
export const PAGE_BYTES = MIB;

/** Events of $all that one step of a filtered read or subscription looks at. */
export const SCAN_EVENTS = 2048;

/** Bytes between two wanted events up to which one disk read fetches both. */
export const READ_GAP_BYTES = 16 * KIB;

/** Events that a live subscription may lag before it is told that it fell behind. */
export const LIVE_LAG_EVENTS = 1024;

/** Considered events per checkpoint where the client names no search window (EventStoreDB's default). */
export const DEFAULT_SEARCH_WINDOW = 32;

/** Bytes that the start-up scan reads at once. */
export const SCAN_WINDOW_BYTES = 4 * MIB;

/** Milliseconds that a start waits for a lock whose owner is going away. */
export const LOCK_WAIT_MS = 3000;
export const LOCK_POLL_MS = 20;

/** Milliseconds from SIGTERM to the moment when connections are cut; all is over well within 5 s. */
export const STOP_GRACE_MS = 1000;
export const STOP_LIMIT_MS = 4000;

/** Fault interface: bytes of a request body, armed faults, longest delay in milliseconds. */
export const MAX_FAULT_BODY_BYTES = 64 * KIB;
export const MAX_FAULTS = 1000;
export const MAX_FAULT_DELAY_MS = 600_000;
