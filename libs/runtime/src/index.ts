/**
 * The imperative shell: folds, asks the core, appends at the expected revision, and only then acts.
 * Ports are the only way out. Knows no framework, no broker and no store client.
 */
export * from './digest';
export * from './journal/seal';
export * from './ports';
export * from './arguments';
export * from './schema-validation';
export * from './tool-round';
