/** The bus over memory: for runtime specs and the simulation, with hooks to lose, double, delay and reorder. */
export { createInMemoryBroker, type InMemoryBroker, type InMemoryBrokerOptions } from './broker';
export { noFaults, type BrokerFaults, type CommandFate, type Fate } from './faults';
