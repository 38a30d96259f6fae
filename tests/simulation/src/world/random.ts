/** The one source of chance: everything that is drawn in a run comes from a stream that its seed begins. */
import type { Entropy } from '@writ/runtime';

const WORD = 2 ** 32;

/** sfc32, seeded by mixing the seed with a name; streams of different names do not disturb each other. */
export class Random {
  #a: number;
  #b: number;
  #c: number;
  #counter = 1;

  constructor(
    private readonly seed: number,
    private readonly name = '',
  ) {
    let hash = 2_166_136_261 ^ seed;
    for (let at = 0; at < name.length; at += 1) hash = Math.imul(hash ^ name.charCodeAt(at), 16_777_619);
    this.#a = hash | 0;
    this.#b = Math.imul(seed, 2_654_435_761) | 0;
    this.#c = (name.length + 0x9e3779b9) | 0;
    for (let warm = 0; warm < 12; warm += 1) this.#word();
  }

  /** Another stream of the same seed. */
  fork(name: string): Random {
    return new Random(this.seed, `${this.name}/${name}`);
  }

  /** In [0, 1). */
  next(): number {
    return this.#word() / WORD;
  }

  chance(share: number): boolean {
    return this.next() < share;
  }

  /** Whole, from `low` to `high`, both included. */
  whole(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  pick<T>(from: readonly [T, ...T[]]): T {
    return from[this.whole(0, from.length - 1)] ?? from[0];
  }

  uuid(): string {
    const hex = this.#hex() + this.#hex() + this.#hex() + this.#hex();
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
  }

  #hex(): string {
    return this.#word().toString(16).padStart(8, '0');
  }

  #word(): number {
    const sum = (((this.#a + this.#b) | 0) + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = ((this.#c << 21) | (this.#c >>> 11)) + sum;
    this.#c |= 0;
    return sum >>> 0;
  }
}

export const entropyOf = (random: Random): Entropy => ({
  uuid: () => random.uuid(),
  random: () => random.next(),
});
