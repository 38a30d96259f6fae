import type { RoundFacts } from '../checks/facts';

export const classes = ['read', 'idempotent', 'reconcilable', 'irreversible'] as const;
type Class = (typeof classes)[number];

export interface ClassTally {
  calls: number;
  /** Calls whose record says that the effect was applied, and those of which it says that nobody knows. */
  applied: number;
  unknown: number;
  /** Distinct keys, and lines. */
  seen: number;
  raw: number;
}

/** Sums of some rounds. */
export interface Column {
  rounds: number;
  readonly ofClass: { readonly [each in Class]: ClassTally };
  takenOver: number;
  inDoubt: number;
  readonly endings: Map<string, number>;
}

export function emptyColumn(): Column {
  const none = (): ClassTally => ({ calls: 0, applied: 0, unknown: 0, seen: 0, raw: 0 });
  const ofClass = { read: none(), idempotent: none(), reconcilable: none(), irreversible: none() };
  return { rounds: 0, ofClass, takenOver: 0, inDoubt: 0, endings: new Map() };
}

export function addTo(column: Column, { turns, calls }: RoundFacts): void {
  column.rounds += 1;
  for (const { status, code } of turns) {
    const ending = code ?? status;
    column.endings.set(ending, (column.endings.get(ending) ?? 0) + 1);
  }
  for (const { effectClass, effect, outcome, seen, takeovers } of calls) {
    const tally = column.ofClass[effectClass];
    tally.calls += 1;
    tally.applied += Number(effect === 'applied');
    tally.unknown += Number(effect === 'unknown');
    tally.seen += seen.keys;
    tally.raw += seen.raw;
    column.takenOver += Number(takeovers.length > 0);
    column.inDoubt += Number(outcome === 'unknown');
  }
}
