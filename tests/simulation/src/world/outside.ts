import type { EffectClass } from '@writ/contracts';

export interface Begun {
  readonly callId: string;
  readonly tool: string;
  readonly effectClass: EffectClass;
  readonly key: string;
  readonly epoch: number;
  /** Who holds the call, as it knows itself; undefined where it has no incarnation any more. */
  readonly instance: string | undefined;
  readonly attempt: number;
  /** Events in the log when the tool's code began. */
  readonly logLength: number;
}

export interface Applied {
  readonly key: string;
  readonly callId: string;
  readonly effectClass: EffectClass;
  readonly epoch: number;
  readonly attempt: number;
  readonly logLength: number;
}

/** The world that tools act upon, outside of Writ: what began and what took effect, counted by nobody else. */
export class Outside {
  readonly begun: Begun[] = [];
  readonly applied: Applied[] = [];
  readonly #attempts = new Map<string, (() => boolean)[]>();
  readonly #highestEpoch = new Map<string, number>();
  #begun = 0;

  constructor(private readonly logLength: () => number) {}

  begin(run: Omit<Begun, 'attempt' | 'logLength'>): Begun {
    const begun = { ...run, attempt: (this.#begun += 1), logLength: this.logLength() };
    this.begun.push(begun);
    return begun;
  }

  /** False where a fenced target refuses: a second effect for the key, or an older epoch than it has seen. */
  apply(begun: Begun, fenced: boolean): boolean {
    const { key, callId, epoch, effectClass, attempt } = begun;
    const highest = this.#highestEpoch.get(key) ?? -1;
    if (fenced && (epoch < highest || this.isApplied(key))) return false;
    this.#highestEpoch.set(key, Math.max(highest, epoch));
    this.applied.push({ key, callId, epoch, effectClass, attempt, logLength: this.logLength() });
    return true;
  }

  /** An attempt is under way that acts as long as `isAlive` says so, frozen ones included. */
  expect(callId: string, isAlive: () => boolean): void {
    this.#attempts.set(callId, [...(this.#attempts.get(callId) ?? []), isAlive]);
  }

  isAppliedFor(callId: string): boolean {
    return this.applied.some((effect) => effect.callId === callId);
  }

  /** Whether some attempt of the call may still act: what an honest person finds out before a word is given. */
  mayLandFor(callId: string): boolean {
    return (this.#attempts.get(callId) ?? []).some((isAlive) => isAlive());
  }

  isApplied(key: string): boolean {
    return this.applied.some((effect) => effect.key === key);
  }

  /** A fenced target learns of a newer epoch from whoever reads back with it. */
  fence(key: string, epoch: number): void {
    this.#highestEpoch.set(key, Math.max(this.#highestEpoch.get(key) ?? -1, epoch));
  }
}
