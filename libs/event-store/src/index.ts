/**
 * The log behind runtime's port: the only library that knows EventStoreDB's client. Owns the three outcomes of an
 * append and how an unknown one is resolved (protocol 5), reads that are whole or unavailable, and subscriptions that
 * go on from their own checkpoint. What the events mean is not known here.
 */
export { InMemoryEventStore, type InMemoryOptions } from './in-memory/store';
export { InMemoryLog } from './in-memory/log';
export type { AppendCall, StoreInterceptor } from './in-memory/interceptor';
export { resolving, type ResolvingOptions } from './resolving/resolving';
export { connectEventStore, type ConnectOptions } from './eventstoredb/connect';
