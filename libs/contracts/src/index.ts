/**
 * Everything that is written to disk or wire, once: events, messages, HTTP bodies, configuration files.
 * Depends on zod alone. What is read from a store, a socket or a file becomes typed here and nowhere else.
 */
export * from './config';
export * from './events';
export * from './http';
export * from './messages';
export * from './primitives';
export * from './reports';
export * from './state-files';
