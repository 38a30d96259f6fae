/**
 * The rules of a person's decision: in time by its own `decidedAt`, for the staged digest, of one call (R6, R7, A4).
 * The events stand in the call's stream and are decided by `tool-call`, which asks here.
 */
export * from './decide';
export * from './pending';
export * from './rejections';
export * from './state';
