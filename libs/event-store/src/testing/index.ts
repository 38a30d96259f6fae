/** For tests: the conformance suite that every store behind the port passes, and clocks to drive one. */
export { eventStoreConformance } from './conformance';
export { countingEntropy, ManualClock } from './manual-clock';
export { systemClock, systemEntropy } from './system-ports';
export type { Abilities, ClientTimes, Fault, StoreUnderTest } from './store-under-test';
