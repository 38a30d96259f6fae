import type { RoundFacts } from '../checks/facts';
import { pointNames, type Point } from '../config';

export const classes = ['read', 'idempotent', 'reconcilable', 'irreversible'] as const;
export type Class = (typeof classes)[number];

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

const emptyColumn = (): Column => {
  const none = (): ClassTally => ({ calls: 0, applied: 0, unknown: 0, seen: 0, raw: 0 });
  const ofClass = { read: none(), idempotent: none(), reconcilable: none(), irreversible: none() };
  return { rounds: 0, ofClass, takenOver: 0, inDoubt: 0, endings: new Map() };
};

/** What the table says; rounds with silence are summed apart. */
export class Tally {
  readonly gone = emptyColumn();
  readonly silent = emptyColumn();
  readonly kills: Map<Point, number> = new Map(pointNames.map((point) => [point, 0]));
  readonly kinds = new Map<string, number>();
  /** Rounds in which all others were killed while one was held, by the point at which it was. */
  readonly held = new Map<string, number>();
  readonly settledMs: { readonly [recovery in 'takeover' | 'restart' | 'together']: number[] } = {
    takeover: [],
    restart: [],
    together: [],
  };
  /** Rounds that meant to kill at a point and did not get there, as `K5 in round 7`. */
  readonly missed: string[] = [];
  faultHits = 0;

  add(facts: RoundFacts): void {
    const { plan, harm, settledMs } = facts;
    for (const point of harm.hits) count(this.kills, point);
    count(this.kinds, plan.kind);
    if (plan.kind === 'kill' && harm.hits.length === 0)
      this.missed.push(`${plan.point} in round ${plan.round}`);
    if (plan.kind === 'others') count(this.held, plan.point);
    this.faultHits += harm.faultHits ?? 0;
    if (harm.killed !== undefined && settledMs !== undefined)
      this.settledMs[harm.killed.recovery].push(settledMs);
    addTo(plan.kind === 'silent' ? this.silent : this.gone, facts);
  }

  /** Of the turns in rounds without silence, the share that completed or that the harness itself interrupted; 1 for none. */
  completedShare(): number {
    const { endings } = this.gone;
    const all = [...endings.values()].reduce((sum, each) => sum + each, 0);
    const good = [...endings].filter(([ending]) => ending === 'completed' || ending === 'interrupted');
    return all === 0 ? 1 : good.reduce((sum, [, each]) => sum + each, 0) / all;
  }
}

function addTo(column: Column, { turns, calls }: RoundFacts): void {
  column.rounds += 1;
  for (const { status, code } of turns) count(column.endings, code ?? status);
  for (const { effectClass, effect, outcome, seen, takenOver } of calls) {
    const tally = column.ofClass[effectClass];
    tally.calls += 1;
    tally.applied += Number(effect === 'applied');
    tally.unknown += Number(effect === 'unknown');
    tally.seen += seen.keys;
    tally.raw += seen.raw;
    column.takenOver += Number(takenOver);
    column.inDoubt += Number(outcome === 'unknown');
  }
}

function count<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
