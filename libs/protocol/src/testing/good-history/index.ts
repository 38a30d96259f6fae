import type { Draft } from '../log';
import { instances } from './cast';
import { firstTurn } from './first-turn';
import { laterTurns, waiting } from './later-turns';

/** One good history with every event type in it, in log order. */
export const goodHistory: readonly Draft[] = [...instances, ...firstTurn, ...laterTurns, ...waiting];
