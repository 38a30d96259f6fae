/** What every whole-system test stands in: the real processes, a scripted provider, and effects counted outside. */
export { audited } from './audited';
export { Client } from './client';
export { eventually } from './eventually';
export { call, ModelServer, type Reply } from './model-server';
export { Probe } from './probe';
export { startWorld, type World } from './world';
