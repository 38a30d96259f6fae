/**
 * Our own linter, run as a test: what ESLint and the compiler cannot see of the rules of the house.
 * Owns purity of the core, names, dead files, manifests, traces of machines, and the proof that each row of the
 * import table catches its fixture.
 */
export { bannedDeclarations, bannedInPath } from './banned-names';
export { deadFiles } from './dead-files';
export { impurities } from './impurities';
export { machineTraces } from './machine-traces';
