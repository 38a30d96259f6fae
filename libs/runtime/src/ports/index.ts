/** The world as the runtime needs it, each port as small as it works. Production, tests and simulation bind them differently. */
export * from './bus';
export * from './clock';
export * from './crash-points';
export * from './event-store';
export * from './model';
export * from './observer';
export * from './state-file';
export * from './tools';
