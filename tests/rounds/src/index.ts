/**
 * Whole rounds in one process: production's validation, staging, executor and transcript over the store in memory, with
 * a model that says what a spec wants and tools that only count. No faults and no time: those are the simulation's.
 */
export { checkRound } from './check-round';
export { RoundWorld, type WorldOptions } from './world';
