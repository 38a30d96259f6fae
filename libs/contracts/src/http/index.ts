export * from './approvals';
export * from './decision';
export * from './orchestrator';
export * from './probes';
export * from './problem';
export * from './resolution';
export * from './transcript';
export * from './turn-failure';
