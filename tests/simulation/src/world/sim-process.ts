import type { Clock } from '@writ/runtime';
import type { Scheduler } from './scheduler';
import { sleepUntil } from './sleep';

/** What begins every run: an arbitrary day. */
const EPOCH_MS = Date.UTC(2026, 0, 1);

export interface SimProcessOptions {
  readonly scheduler: Scheduler;
  /** Unique in the run: `<service>.<name>/<number of the start>`. */
  readonly label: string;
  readonly host: string;
  readonly pid: number;
  /** How far its wall clock is off, in ms. */
  readonly skewMs: number;
  /** Where its monotonic clock began; one value per host. */
  readonly monotonicFromMs: number;
}

/**
 * A process as its ports see it. Dead: nothing that it asked is ever answered. Frozen: answers and timers wait for the
 * thaw while the world goes on. Its code itself runs unhindered between two port calls, as no simulation can stop it there.
 */
export class SimProcess {
  readonly label: string;
  readonly host: string;
  readonly pid: number;
  readonly clock: Clock;
  #state: 'running' | 'frozen' | 'dead' = 'running';
  #held: (() => void)[] = [];
  readonly #deathWatchers: (() => void)[] = [];
  #skewMs: number;

  constructor(options: SimProcessOptions) {
    this.label = options.label;
    this.host = options.host;
    this.pid = options.pid;
    this.#skewMs = options.skewMs;
    this.clock = this.#clockOf(options);
  }

  get isDead(): boolean {
    return this.#state === 'dead';
  }
  get isRunning(): boolean {
    return this.#state === 'running';
  }
  get isFrozen(): boolean {
    return this.#state === 'frozen';
  }

  /** Calls back when the process can hear it: now, at its thaw, or never. */
  hear(then: () => void): void {
    if (this.#state === 'running') then();
    else if (this.#state === 'frozen') this.#held.push(then);
  }

  /** The answer of a port, as the process gets it. */
  answer<T>(given: Promise<T> | T): Promise<T> {
    return new Promise((resolve, reject) => {
      if (!(given instanceof Promise)) return this.hear(() => resolve(given));
      given.then(
        (value) => this.hear(() => resolve(value)),
        (error: unknown) => this.hear(() => reject(error instanceof Error ? error : new Error('port threw'))),
      );
    });
  }

  /** Somebody sets the wall clock; the monotonic one goes on as it did. */
  stepWall(ms: number): void {
    this.#skewMs += ms;
  }

  freeze(): void {
    if (this.#state === 'running') this.#state = 'frozen';
  }

  thaw(): void {
    if (this.#state !== 'frozen') return;
    this.#state = 'running';
    const held = this.#held;
    this.#held = [];
    for (const then of held) this.hear(then);
  }

  /** What it is about to ask leaves now, or at its thaw: it may stand still at a named point, its code half way. */
  async leave(): Promise<void> {
    if (this.#state === 'frozen') await this.answer(undefined);
  }

  kill(): void {
    if (this.#state === 'dead') return;
    this.#state = 'dead';
    this.#held = [];
    for (const watcher of this.#deathWatchers) watcher();
  }

  onDeath(watcher: () => void): void {
    this.#deathWatchers.push(watcher);
  }

  #clockOf({ scheduler, monotonicFromMs }: SimProcessOptions): Clock {
    return {
      wallMs: () => Math.floor(EPOCH_MS + scheduler.nowMs + this.#skewMs),
      monotonicMs: () => monotonicFromMs + scheduler.nowMs,
      sleep: (ms, signal) => sleepUntil(scheduler, { ms, signal, hear: (then) => this.hear(then) }),
    };
  }
}
