/**
 * Most bytes of one append: the sum over its events of type, data and metadata, as UTF-8 JSON. EventStoreDB refuses
 * more than `MaxAppendSize` = 1 MiB (1,048,576 bytes, default up to 25.0) over the whole append; what is left over is
 * its own share per event: id, keys, lengths.
 */
export const APPEND_BYTES = 1_000_000;
/** What one event adds to an append beside its own bytes: id, field tags, content type. */
export const EVENT_OVERHEAD_BYTES = 128;
/** Most events of one append; each costs the store an index entry. */
export const APPEND_EVENTS = 1_000;

/** Most events that one read hands out; the caller pages on from the last. */
export const READ_EVENTS = 4_096;

/** Characters of a stream's name; they travel in gRPC trailers, which carry printable ASCII only. */
export const STREAM_NAME_CHARS = 256;

/** Waits between the repeats of an unknown append, milliseconds: doubled from the first to the last, half of it by chance. */
export const REPEAT_FIRST_MS = 20;
export const REPEAT_LAST_MS = 1_000;

/** Appends of one process that wait for their answer at a time, and their bytes; what comes on top is `unknown` at once. */
export const APPENDS_IN_FLIGHT = 1_024;
export const APPEND_BYTES_IN_FLIGHT = 64 * 1024 * 1024;

/** Subscriptions on one connection: Kestrel allows 100 HTTP/2 streams, and past that calls wait in silence. */
export const SUBSCRIPTIONS_PER_CONNECTION = 50;

/** Waits between the attempts to follow again, milliseconds. */
export const FOLLOW_AGAIN_FIRST_MS = 50;
export const FOLLOW_AGAIN_LAST_MS = 2_000;

/** After this long without a message a subscription is checked against the store, milliseconds. */
export const SILENCE_CHECK_MS = 2_000;
/** What the check found must have been delivered after this long, milliseconds. */
export const SILENCE_GRACE_MS = 1_000;

/** Log positions between two checkpoints of a subscription, in considered events: the server counts in windows of 32. */
export const CHECKPOINT_WINDOWS = 4;
