/**
 * The whole system in one process and one seed: production's protocol and runtime over simulated ports. Time, chance,
 * store, broker, tools, model and people are drawn from the seed; the checkers read the log and the world outside alone.
 */
export { runSeed, type SeedOptions, type SeedRun } from './run-seed';
