/** What the seeds have reached: every cell that many seeds must fill, and how often each was. */
export { cells } from './cells';
export { addRun } from './of-run';
export { emptyCells, merge, tableOf, type Coverage } from './table';
