/**
 * Leases of instances: who may still act, and when others may say that it has ended (protocol 7, R10). Owns the
 * `lease-…` streams. Wall clocks are never compared here; every time is a monotonic one of whoever asks.
 */
export * from './decide';
export * from './pending';
export * from './rejections';
export * from './state';
