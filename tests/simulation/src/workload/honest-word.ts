import type { InDoubtItem, ResolutionRequest } from '@writ/contracts';
import type { Outside } from '../world/outside';
import type { Random } from '../world/random';

export type Word = ResolutionRequest;

/**
 * What an honest person says of a call in doubt. `not_applied` is said only where no attempt can still land, and of the
 * doubt that was seen; what took effect stays so, and `unknown` is always true. Undefined: it is too early to say.
 */
export function wordOn(
  { callId, epoch }: InDoubtItem,
  { outside, random }: { readonly outside: Outside; readonly random: Random },
): Word | undefined {
  const isExact = random.chance(0.7);
  const ofDoubt = isExact ? { epoch } : {};
  if (random.chance(0.15)) return { effect: 'unknown', evidence: 'nobody knows', ...ofDoubt };
  if (outside.isAppliedFor(callId)) return { effect: 'applied', evidence: 'it is there', ...ofDoubt };
  if (outside.mayLandFor(callId)) return undefined;
  const rerun = random.chance(0.7);
  return { effect: 'not_applied', evidence: 'it is not there', epoch, ...(rerun ? { rerun } : {}) };
}
