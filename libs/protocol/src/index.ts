/** The part to read first: what Writ decides and what it shows. Pure: no clock, no randomness, no input or output. */
export * from './approval';
export * from './decision';
export * from './invariants';
export * from './lease';
export * from './limits';
export * from './policy';
export * from './projections';
export * from './time';
export * from './tool-call';
export * from './tool-round';
export * from './toolsets';
export * from './turn';
// `projections` and `turn` both tell where a turn stands; outside the decider's word is meant.
export { turnStatus } from './turn';
