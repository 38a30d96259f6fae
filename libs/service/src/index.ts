/**
 * What every service process has, whatever it does: settings, a log, clocks, crash points, probes, problems, an end.
 * Owns how a process starts, says what it is doing and stops; knows no rule of the protocol, no framework, no store.
 */
export * from './clock';
export * from './crash-points';
export * from './env';
export * from './fatal';
export * from './http';
export * from './instance-sockets';
export * from './limits';
export * from './log';
export * from './metrics';
export * from './service-process';
export * from './shutdown';
export { stateFile } from './state-file';
export * from './version';
export * from './yaml-file';
