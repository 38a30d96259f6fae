/** What a run is going to do, drawn from its seed alone. */
export * from './round-plan';
export { planEachPair, planRounds } from './plan-rounds';
