import type { Model } from '@writ/runtime';
import type { SimProcess } from './sim-process';

/** The provider as one process reaches it. */
export type ModelPort = (process: SimProcess) => Model;
