/** What an operator wants counted; totals since the bus was made. */
export interface BusCounters {
  readonly published: number;
  /** Publishes that nobody can tell the fate of. */
  readonly unknown: number;
  readonly delivered: number;
  readonly redelivered: number;
  /** Handlers that threw. */
  readonly failed: number;
  /** Deliveries that do not parse; terminated. */
  readonly malformedWakes: number;
  /** Notices and cancels that do not parse; dropped. */
  readonly malformedHints: number;
  /** Notices and cancels not sent because there was no connection. */
  readonly droppedHints: number;
}

export type CounterName = keyof BusCounters;

export interface Counting {
  /** Adds one and returns the new total. */
  add(name: CounterName): number;
  read(): BusCounters;
}

export function createCounting(): Counting {
  const totals: Record<CounterName, number> = {
    published: 0,
    unknown: 0,
    delivered: 0,
    redelivered: 0,
    failed: 0,
    malformedWakes: 0,
    malformedHints: 0,
    droppedHints: 0,
  };
  return {
    add: (name) => (totals[name] += 1),
    read: () => ({ ...totals }),
  };
}

/** True for 1, 2, 4, 8, …: a flood of one kind is logged ever more rarely. */
export function worthLogging(total: number): boolean {
  return (total & (total - 1)) === 0;
}
