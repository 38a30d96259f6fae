/**
 * Sessions and turns: who owns a session, what its stream may hold, and what its owner has to do next. Owns the streams
 * `session-<sessionId>` and keeps R2 to R5, R8 (the round's deadline), R10, R12 and R13, with A3 and A5 in what it lets
 * through. What one call may do is `tool-call`'s to say; carrying the list out, the runtime's.
 */
export * from './commands';
export { decideSession, type SessionDecision } from './decide';
export { evolveSession, foldSession } from './evolve';
export * from './facts';
export { pendingTurn } from './pending';
export * from './rejections';
export * from './shown-results';
export * from './state';
export * from './status';
export * from './work';
