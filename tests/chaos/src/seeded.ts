/** One stream of draws from one seed (mulberry32): the same seed gives the same plan. */
export interface Draws {
  /** A whole number from 0 up to and without `below`. */
  below(below: number): number;
  pick<T>(of: readonly [T, ...T[]]): T;
  shuffled<T>(of: readonly T[]): readonly T[];
}

export function drawsFrom(seed: number): Draws {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  const below = (bound: number): number => next() % bound;
  return {
    below,
    pick: (of) => of[below(of.length)] ?? of[0],
    shuffled: (of) =>
      of
        .map((each) => ({ each, at: next() }))
        .sort((left, right) => left.at - right.at)
        .map(({ each }) => each),
  };
}
