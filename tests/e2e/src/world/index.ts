/** What every whole-system test stands in: the real processes, a scripted provider, and effects counted outside. */
export { audited } from './audited';
export { Broker } from './broker';
export { Client } from './client';
export { cloneSession } from './clones';
export { eventually } from './eventually';
export { Meddler } from './meddler';
export { metricAt } from './metrics';
export { call, ModelServer, placeOf, rowsOf, toolRowsOf, type Reply } from './model-server';
export { OneWayLink } from './one-way-link';
export { Probe } from './probe';
export { isAlive, readinessAt, type Ready } from './readiness';
export { sessionEvents, withStore } from './record';
export { Scene } from './scene';
export { SilentLink } from './silent-link';
export { WallClocks } from './wall-clocks';
export { patient, startWorld, type World } from './world';
