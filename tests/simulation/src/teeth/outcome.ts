import type { Bite } from './bite';
import type { Answer, Trial } from './lane';
import type { Mutation } from './mutation';

export type Outcome =
  /** The first violated rule is the one that the mutation was written to break. */
  | { readonly end: 'caught'; readonly bite: Bite }
  | { readonly end: 'caught_by_another_rule'; readonly bite: Bite }
  | { readonly end: 'not_caught' }
  /** It breaks a rule where nothing fails, so no simulation is needed to find it. */
  | { readonly end: 'breaks_the_calm'; readonly bite: Bite };

/** Seeds without faults that a mutation must leave in order. */
export const calmSeeds = { from: 1, seeds: 3, withFaults: false };

export async function outcomeOf(
  lane: { try(trial: Trial): Promise<Answer> },
  { name, breaks, within }: Mutation,
): Promise<Outcome> {
  const bite = await lane.try({ mutation: name, from: 1, seeds: within, withFaults: true });
  if (bite === undefined) return { end: 'not_caught' };
  if (!breaks.includes(bite.violation.rule)) return { end: 'caught_by_another_rule', bite };
  const calm = await lane.try({ mutation: name, ...calmSeeds });
  return calm === undefined ? { end: 'caught', bite } : { end: 'breaks_the_calm', bite: calm };
}
