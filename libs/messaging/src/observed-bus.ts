import type { Bus, Clock, Entropy, Log } from '@writ/runtime';
import type { BusCounters } from './counters';

/** The port, and what an operator may count. */
export interface ObservedBus extends Bus {
  counters(): BusCounters;
}

/** What both buses are given. */
export interface BusPorts {
  readonly log: Log;
  readonly clock: Clock;
  readonly entropy: Entropy;
}
