/**
 * The broker behind the runtime's `Bus` port: wake-ups, notices and hints, never facts (protocol 6).
 *
 * Owns the work-queue stream and its consumers, the subjects' bytes, reconnecting, and the bounds of all of it.
 * Keeps R16 (a lost, doubled, delayed or reordered message costs time only): an outcome is `published` or `unknown`, a delivery
 * is given back unless it was answered, and nothing here decides what a message means.
 * `connectBus` is the real one, `createInMemoryBroker` the simulator's; one suite (`./testing`) holds for both.
 */
export * from './nats';
export * from './in-memory';
export type { BusCounters } from './counters';
export { defaultBusLimits, type BusLimits } from './limits';
export type { BusPorts, ObservedBus } from './observed-bus';
