import { PAGE_EVENTS, SCAN_EVENTS } from '../limits';
import type { EventIndex } from './event-index';

/** Decides by stream name or event type whether a reader of $all wants an event; undefined wants all. */
export type EventFilter = ((stream: string, type: string) => boolean) | undefined;

export interface AllPage {
  /** Sequences of the wanted events, in order. */
  wanted: number[];
  /** Where the next page starts. */
  next: number;
}

export interface AllPageOptions {
  start: number;
  /** First sequence that is out of reach: exclusive forwards, and -1 backwards. */
  stop: number;
  filter: EventFilter;
  maxEvents: number;
}

/** Looks at a bounded number of events of $all, forwards if `start` is below `stop`, else backwards. */
export function scanAll(index: EventIndex, options: AllPageOptions): AllPage {
  const step = options.start <= options.stop ? 1 : -1;
  const wanted: number[] = [];
  const room = Math.min(PAGE_EVENTS, options.maxEvents);
  let sequence = options.start;
  for (let looked = 0; sequence !== options.stop && looked < SCAN_EVENTS && wanted.length < room; looked++) {
    if (wants(index, sequence, options.filter)) wanted.push(sequence);
    sequence += step;
  }
  return { wanted, next: sequence };
}

export function wants(index: EventIndex, sequence: number, filter: EventFilter): boolean {
  if (filter === undefined) return true;
  return filter(index.streams.name(index.table.stream(sequence)), index.table.type(sequence));
}
