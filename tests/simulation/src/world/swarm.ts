import type { Random } from './random';

/** Which faults this seed has, and how often: most seeds lack some, so that rare combinations stand out. */
export interface Swarm {
  readonly appendLost: number;
  readonly appendUnheard: number;
  readonly appendLate: number;
  readonly appendDoubled: number;
  readonly appendSlow: number;
  /** The store answers after the append's timer has run out. */
  readonly answerLate: number;
  /** It answers a wrong expected version although it has stored the events. */
  readonly falseConflict: number;
  readonly readAway: number;
  readonly deliverLate: number;
  readonly messageLost: number;
  readonly messageDoubled: number;
  readonly messageLate: number;
  /** A message that names another event than the one that stages its call. */
  readonly messageUntrue: number;
  readonly modelFails: number;
  readonly modelSlow: number;
  readonly toolThrows: number;
  readonly toolHangs: number;
  readonly toolSlow: number;
  readonly readbackUnsure: number;
  readonly checkRefuses: number;
  /** A person answers with the digest of something else than is asked. */
  readonly stalePage: number;
}

export function drawSwarm(random: Random): Swarm {
  const share = (most: number): number => (random.chance(0.45) ? 0 : random.next() * most);
  return {
    appendLost: share(0.15),
    appendUnheard: share(0.15),
    appendLate: share(0.08),
    appendDoubled: share(0.1),
    appendSlow: share(0.15),
    answerLate: share(0.1),
    falseConflict: share(0.1),
    readAway: share(0.08),
    deliverLate: share(0.2),
    messageLost: share(0.4),
    messageDoubled: share(0.4),
    messageLate: share(0.4),
    messageUntrue: share(0.3),
    modelFails: random.chance(0.1) ? 0.7 : share(0.2),
    modelSlow: share(0.3),
    toolThrows: share(0.4),
    toolHangs: share(0.3),
    toolSlow: share(0.6),
    readbackUnsure: share(0.8),
    checkRefuses: share(0.3),
    stalePage: share(0.4),
  };
}

const names = Object.keys(drawNothing()) as readonly (keyof Swarm)[];

function drawNothing(): Swarm {
  return {
    appendLost: 0,
    appendUnheard: 0,
    appendLate: 0,
    appendDoubled: 0,
    appendSlow: 0,
    answerLate: 0,
    falseConflict: 0,
    readAway: 0,
    deliverLate: 0,
    messageLost: 0,
    messageDoubled: 0,
    messageLate: 0,
    messageUntrue: 0,
    modelFails: 0,
    modelSlow: 0,
    toolThrows: 0,
    toolHangs: 0,
    toolSlow: 0,
    readbackUnsure: 0,
    checkRefuses: 0,
    stalePage: 0,
  };
}

/** The dice of one run: asks whether a fault happens now, counts those that did, and none once `calm` was called. */
export class Faults {
  readonly counts = new Map<string, number>();
  #calm = false;

  constructor(
    private readonly swarm: Swarm,
    private readonly random: Random,
  ) {}

  /** From here on nothing fails by itself: the liveness phase. */
  calm(): void {
    this.#calm = true;
  }

  get isCalm(): boolean {
    return this.#calm;
  }

  hits(name: keyof Swarm): boolean {
    if (this.#calm || !this.random.chance(this.swarm[name])) return false;
    this.note(name);
    return true;
  }

  note(name: string): void {
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
  }

  get total(): number {
    return [...this.counts.values()].reduce((sum, count) => sum + count, 0);
  }

  whole(low: number, high: number): number {
    return this.random.whole(low, high);
  }

  chance(share: number): boolean {
    return this.random.chance(share);
  }
}

export const noSwarm: Swarm = drawNothing();
export const faultNames: readonly string[] = [
  ...names,
  'kill',
  'kill_at_point',
  'freeze',
  'freeze_group',
  'freeze_at_point',
  'hunt_kill',
  'hunt_freeze',
  'cut_store',
  'cut_bus',
  'cut_both',
  'broker_outage',
  'drain',
  'clone',
  'pool_gone',
  'clock_skew',
  'clock_step',
  'day_passes',
];
