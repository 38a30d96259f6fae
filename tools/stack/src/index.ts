/**
 * The real processes of one Writ on one machine: started, watched, harmed and stopped.
 * Owns ports, environments and order of the stack that `npm run up`, the demo and the whole-system tests share;
 * knows each app by its built main and its environment only.
 */
export { until, Writ } from './demo/calls';
export { faultsAt, type Fault, type Faults } from './faults';
export type { StackEvent, StackOptions } from './options';
export type { Addresses } from './plan';
export type { Exit } from './processes/supervised';
export type { Wait } from './processes/readiness';
export type { Stack } from './stack';
export { startStack, type StackStart } from './start-stack';
