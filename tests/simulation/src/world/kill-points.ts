import type { CrashPoint, CrashPoints } from '@writ/runtime';
import type { Random } from './random';
import type { SimProcess } from './sim-process';

export const crashPoints: readonly [CrashPoint, ...CrashPoint[]] = [
  'K0', 'K1', 'K2', 'K3', 'K4', 'K4a', 'K4b', 'K5', 'K6', 'K7', 'K9',
  'H1', 'H2', 'H3', 'H4',
  'P0', 'P1', 'P2', 'P3', 'P4',
]; // prettier-ignore

interface Armed {
  readonly point: CrashPoint;
  /** Which pass of it kills, counted from 1. */
  nth: number;
}

/** Where processes of this run die: a few named points, each at its n-th pass. */
export class KillPoints {
  readonly passed = new Map<string, number>();
  readonly killedAt = new Map<string, number>();
  #armed: Armed[];

  constructor(random: Random, how: number) {
    this.#armed = Array.from({ length: how }, () => ({
      point: random.pick(crashPoints),
      nth: random.chance(0.6) ? 1 : random.whole(2, 4),
    }));
  }

  disarm(): void {
    this.#armed = [];
  }

  /** The port of one process; `onKill` marks it dead, after which none of its calls is answered. */
  portOf(process: SimProcess, onKill: (point: CrashPoint) => void): CrashPoints {
    return {
      pass: (point) => {
        if (process.isDead) return;
        this.passed.set(point, (this.passed.get(point) ?? 0) + 1);
        const hit = this.#armed.find((armed) => armed.point === point);
        if (hit === undefined || (hit.nth -= 1) > 0) return;
        this.#armed = this.#armed.filter((armed) => armed !== hit);
        this.killedAt.set(point, (this.killedAt.get(point) ?? 0) + 1);
        onKill(point);
      },
    };
  }
}
