import type { EffectClass } from '@writ/contracts';
import type { ToolRequest } from '@writ/runtime';
import { simulationLimits } from '../limits';
import type { Blow } from './kill-points';
import type { Random } from './random';

/** One call of the run whose executors are lost inside its tool, one after the other, until no epoch is left for it. */
export class Hunt {
  readonly #random: Random;
  readonly #effectClass: EffectClass | undefined;
  /** Only a call whose doubt waits for a person. */
  readonly #heldOnly: boolean;
  readonly #share: number;
  /** Always before the tool acts. */
  readonly #isEarly: boolean;
  #prey: string | undefined;
  #left: number;

  constructor(random: Random, { withFaults }: { readonly withFaults: boolean }) {
    const { share, mostLosses } = simulationLimits.hunt;
    const classes = ['read', 'idempotent', 'reconcilable', 'irreversible'] as const;
    this.#random = random;
    this.#effectClass = withFaults && random.chance(share) ? random.pick(classes) : undefined;
    this.#heldOnly = this.#effectClass !== 'read' && random.chance(0.5);
    this.#left = random.chance(0.6) ? mostLosses : random.whole(1, mostLosses);
    this.#isEarly = random.chance(0.5);
    this.#share = random.chance(0.7) ? 1 : 0.7;
  }

  /** Whether the executor in whose tool this call just begins is lost now, and how. */
  strikes({ callId, args }: ToolRequest, effectClass: EffectClass): Blow | undefined {
    if (effectClass !== this.#effectClass || this.#left === 0) return undefined;
    if (this.#prey === undefined && this.#heldOnly && args['gate'] !== 'hold') return undefined;
    this.#prey ??= callId;
    if (callId !== this.#prey || !this.#random.chance(this.#share)) return undefined;
    this.#left -= 1;
    return this.#random.chance(0.2) ? 'freeze' : 'kill';
  }

  /** Milliseconds after its beginning: before the tool acts, or perhaps after. */
  delayMs(): number {
    return this.#random.chance(this.#isEarly ? 1 : 0.5) ? 0 : this.#random.whole(1, 300);
  }
}
