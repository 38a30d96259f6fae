/** Lists and documents for readers, each a pure fold over acknowledged events (protocol 2, Projections). */
export { comparePositions, laterPosition, throughPosition } from './position';
export * from './transcript';
export * from './work';
