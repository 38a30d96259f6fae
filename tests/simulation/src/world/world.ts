import { createInMemoryBroker, type InMemoryBroker } from '@writ/messaging';
import { InMemoryLog } from '@writ/event-store';
import type { Clock } from '@writ/runtime';
import { Hunt } from './hunt';
import { KillPoints } from './kill-points';
import { Outside } from './outside';
import { Random } from './random';
import { Scheduler } from './scheduler';
import type { SimProcess } from './sim-process';
import { sleepUntil } from './sleep';
import { drawSwarm, Faults, noSwarm } from './swarm';
import { Trace } from './trace';
import { Witness } from './witness';

export interface WorldOptions {
  readonly seed: number;
  /** Without it nothing fails: what a run looks like that has no bad luck. */
  readonly withFaults: boolean;
}

/** Everything that processes share: time, chance, the log, the broker, and the world that tools act upon. */
export class World {
  readonly seed: number;
  readonly withFaults: boolean;
  readonly random: Random;
  readonly scheduler = new Scheduler();
  readonly log = new InMemoryLog();
  readonly outside = new Outside(() => this.log.events.length);
  readonly witness = new Witness();
  readonly trace: Trace;
  readonly faults: Faults;
  readonly killPoints: KillPoints;
  readonly hunt: Hunt;
  readonly broker: InMemoryBroker;
  /** Sockets that processes listen on; a killed process refuses, a frozen one accepts. */
  readonly sockets = new Map<string, SimProcess>();
  /** When faults ended, and events in the log some time after that; undefined where the run ended before. */
  readonly marks: { calmFromMs?: number; woken?: number; takenOver?: number } = {};
  /** What the product said where only a broken assertion says anything. */
  readonly thrown: string[] = [];
  /** Lengths of the log at which an executor ended. */
  readonly losses: number[] = [];
  /** What else is worth counting, in the words of the coverage table. */
  readonly seen = new Map<string, number>();
  #pids = 100;

  constructor({ seed, withFaults }: WorldOptions) {
    this.seed = seed;
    this.withFaults = withFaults;
    this.random = new Random(seed, 'run');
    this.trace = new Trace(this.scheduler);
    const swarm = withFaults ? drawSwarm(this.random.fork('swarm')) : noSwarm;
    this.faults = new Faults(swarm, this.random.fork('faults'));
    const kills = this.random.fork('kill points');
    this.killPoints = new KillPoints(kills, withFaults ? kills.whole(2, 5) : 0);
    this.hunt = new Hunt(this.random.fork('hunt'), { withFaults });
    this.broker = this.#openBroker();
  }

  note(cell: string): void {
    this.seen.set(cell, (this.seen.get(cell) ?? 0) + 1);
  }

  nextPid(): number {
    return (this.#pids += 1);
  }

  #openBroker(): InMemoryBroker {
    const { scheduler, faults } = this;
    const clock: Clock = {
      wallMs: () => scheduler.nowMs,
      monotonicMs: () => scheduler.nowMs,
      sleep: (ms, signal) => sleepUntil(scheduler, { ms, signal, hear: (then) => then() }),
    };
    const fate = (): { copies: number; delayMs: number } => ({
      copies: faults.hits('messageLost') ? 0 : faults.hits('messageDoubled') ? 2 : 1,
      delayMs: faults.hits('messageLate') ? faults.whole(5, 4_000) : faults.whole(0, 3),
    });
    return createInMemoryBroker({
      clock,
      faults: {
        hint: fate,
        command: () => {
          const drawn = fate();
          const isUnsure = drawn.copies !== 1 && faults.chance(0.5);
          return { ...drawn, told: isUnsure ? 'unknown' : 'published' };
        },
      },
    });
  }
}
