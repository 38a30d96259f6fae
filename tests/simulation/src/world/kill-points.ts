import { crashPointsOf, type CrashPoint, type CrashPoints } from '@writ/runtime';
import type { Random } from './random';
import type { SimProcess } from './sim-process';

const [first, ...others] = Object.values(crashPointsOf).flat();
export const crashPoints: readonly [CrashPoint, ...CrashPoint[]] = [first ?? 'K0', ...others];

/** Points of heirs and of those who wait for people: passed seldom, so they are armed more often. */
const rarePoints = ['H1', 'H2', 'H3', 'H4', 'P2', 'P3', 'P4'] as const satisfies readonly CrashPoint[];

/** What befalls a process at a point: it dies there, or stands still there and wakes up much later. */
export type Blow = 'kill' | 'freeze';

interface Armed {
  readonly point: CrashPoint;
  readonly blow: Blow;
  /** Which pass of it is meant, counted from 1. */
  nth: number;
}

/** Where processes of this run die or stand still: a few named points, each at its n-th pass. */
export class KillPoints {
  readonly passed = new Map<string, number>();
  readonly killedAt = new Map<string, number>();
  readonly frozenAt = new Map<string, number>();
  #armed: Armed[];

  constructor(random: Random, how: number) {
    this.#armed = Array.from({ length: how }, () => {
      const isRare = random.chance(0.5);
      return {
        point: random.pick(isRare ? rarePoints : crashPoints),
        nth: isRare || random.chance(0.6) ? 1 : random.whole(2, 4),
        blow: random.chance(0.5) ? 'freeze' : 'kill',
      };
    });
  }

  disarm(): void {
    this.#armed = [];
  }

  /** The port of one process; `strike` marks it dead or frozen, after which none of its calls is answered or leaves. */
  portOf(process: SimProcess, strike: (point: CrashPoint, blow: Blow) => void): CrashPoints {
    return {
      pass: (point) => {
        if (!process.isRunning) return;
        count(this.passed, point);
        const hit = this.#armed.find((armed) => armed.point === point);
        if (hit === undefined || (hit.nth -= 1) > 0) return;
        this.#armed = this.#armed.filter((armed) => armed !== hit);
        count(hit.blow === 'kill' ? this.killedAt : this.frozenAt, point);
        strike(point, hit.blow);
      },
    };
  }
}

const count = (into: Map<string, number>, name: string): void =>
  void into.set(name, (into.get(name) ?? 0) + 1);
