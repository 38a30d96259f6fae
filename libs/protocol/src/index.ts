/** The part to read first: what Writ decides and what it shows. Pure: no clock, no randomness, no input or output. */
export * from './projections';
export * from './policy';
export * from './tool-round';
export * from './toolsets';
