import { notReached } from '../checks/check-round';
import { explanationOf } from '../checks/endings';
import type { RoundFacts } from '../checks/facts';
import { pointOf, titleOf } from '../plans';
import { pointNames, targets, type Point, type Target } from '../points';
import { addTo, emptyColumn } from './column';

/** What was done at one kill point. */
export interface PointTally {
  /** Processes that died there by SIGKILL. */
  died: number;
  /** Processes that froze there for longer than their lease. */
  froze: number;
  /** Rounds in which each of the others was killed or frozen while one stood there. */
  readonly struck: Record<Target, number>;
  /** Rounds in which somebody really stood there. */
  hits: number;
}

const noHits = (): PointTally => ({
  died: 0,
  froze: 0,
  struck: {
    'turn-orchestrator': 0,
    'tool-executor': 0,
    'approval-service': 0,
    'event-store': 0,
    'nats-server': 0,
  },
  hits: 0,
});

/** What the table says; rounds with silence are summed apart. */
export class Tally {
  readonly gone = emptyColumn();
  readonly silent = emptyColumn();
  readonly points: ReadonlyMap<Point, PointTally> = new Map(pointNames.map((point) => [point, noHits()]));
  readonly kinds = new Map<string, number>();
  readonly settledMs: { readonly [recovery in 'takeover' | 'restart' | 'others']: number[] } = {
    takeover: [],
    restart: [],
    others: [],
  };
  /** Rounds that did not get to their point and were run again, as `K5 in round 7`. */
  readonly repeated: string[] = [];
  /** Turns that did not complete, each with its round and the reason. */
  readonly endings: string[] = [];
  /** Rounds whose plan had a fault of the store, and how often these acted, by fault. */
  readonly faults = new Map<string, { rounds: number; acted: number }>();

  add(facts: RoundFacts): void {
    const { plan, harm, settledMs } = facts;
    count(this.kinds, plan.kind);
    this.addPoint(facts);
    this.addFault(facts);
    this.addEndings(facts);
    if (harm.killed !== undefined && settledMs !== undefined)
      this.settledMs[harm.killed.recovery].push(settledMs);
    addTo(facts.isSilent ? this.silent : this.gone, facts);
  }

  /** All turns, and the share of them that completed; 1 of none. */
  completed(): { readonly turns: number; readonly share: number } {
    const endings = [...this.gone.endings, ...this.silent.endings];
    const sum = (some: typeof endings): number => some.reduce((all, [, turns]) => all + turns, 0);
    const turns = sum(endings);
    const completed = sum(endings.filter(([ending]) => ending === 'completed'));
    return { turns, share: turns === 0 ? 1 : completed / turns };
  }

  private addPoint(facts: RoundFacts): void {
    const { plan, harm } = facts;
    const point = pointOf(plan);
    const tally = point === undefined ? undefined : this.points.get(point);
    if (tally === undefined) return;
    if (notReached(facts)) return void this.repeated.push(`${point} in round ${plan.round}`);
    tally.hits += 1;
    tally.died += Number(harm.hasDied === true);
    tally.froze += Number(plan.kind === 'frozen');
    for (const target of targets) tally.struck[target] += Number(harm.struck?.includes(target) === true);
  }

  private addFault({ plan, harm }: RoundFacts): void {
    const during = plan.kind === 'kill' ? plan.during : undefined;
    const planned = plan.kind === 'store' ? plan : during;
    if (planned === undefined) return;
    const name = planned === 'no_broker' ? planned : `${planned.fault} on ${planned.on}`;
    const tally = this.faults.get(name) ?? { rounds: 0, acted: 0 };
    tally.rounds += 1;
    tally.acted += harm.faultHits ?? 0;
    this.faults.set(name, tally);
  }

  private addEndings(facts: RoundFacts): void {
    for (const turn of facts.turns) {
      if (turn.status === 'completed') continue;
      const why = explanationOf(turn, facts) ?? 'UNEXPLAINED';
      const how = turn.code ?? turn.status;
      this.endings.push(`round ${facts.plan.round} (${titleOf(facts.plan)}): ${how}, ${why}`);
    }
  }
}

function count<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
