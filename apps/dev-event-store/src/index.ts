/**
 * A development event store: one process that speaks the EventStoreDB gRPC protocol to the official client and keeps
 * its events in one log file. Services know it by its connection string alone and cannot tell it from the real one.
 *
 * - `log/` owns the file: records, checksums, repair, group commit, the lock of the folder.
 * - `engine/` owns the rules: what an append may do, what a reader may see.
 * - `wire/` owns the protocol: messages, errors, subscriptions, backpressure.
 * - `faults/` owns what tests break.
 *
 * What it promises: an acknowledged append survives SIGKILL and power loss, whole; nobody sees an event before it is
 * that safe; the order of $all is the order of the log. Bodies are read from the log, the youngest from memory.
 *
 * Not here: scavenging, links, users, projections, persistent subscriptions, clusters. It is for one machine.
 */
export { type Config, readConfig } from './config';
export { type RunningServer, startServer } from './server';
