/** Protocol 2's table of outcomes and effects, with R8: which result may be committed at all. */
import type { Effect, EffectClass, Outcome, Readback, ReadbackEffect } from '@writ/contracts';

/** Outcomes of a call whose tool was started. */
export const ranOutcomes: ReadonlySet<Outcome> = new Set<Outcome>([
  'succeeded',
  'failed',
  'timed_out',
  'interrupted',
  'unknown',
]);

const effectOfReadback = { applied: 'applied', not_applied: 'none', unknown: 'unknown' } as const;

export interface Judged {
  readonly effectClass: EffectClass;
  readonly outcome: Outcome;
  readonly effect: Effect;
  /** A readback made before the commit. */
  readonly readback?: ReadbackEffect;
  /** A holder that had started may still act, so that even `not_applied` may be overtaken (protocol 9). */
  readonly silentRun: boolean;
}

export function effectFits({ effectClass, outcome, effect, readback, silentRun }: Judged): boolean {
  if (!ranOutcomes.has(outcome) || effectClass === 'read') return effect === 'none';
  if (outcome === 'succeeded') return effect === 'applied';
  if (readback === 'not_applied' && silentRun) return effect === 'none' || effect === 'unknown';
  if (readback !== undefined) return effect === effectOfReadback[readback];
  // Without a readback only the tool itself (`NotApplied`), or a run that never began, can say that nothing happened.
  return effect === 'unknown' || (effect === 'none' && outcome !== 'unknown');
}

/** The effect of a call that is settled in doubt. `sure`: no holder that had started can act any more, or the target is fenced. */
export function doubtfulEffect(
  effectClass: EffectClass,
  readback: Pick<Readback, 'effect'> | undefined,
  sure: boolean,
): Effect {
  if (effectClass === 'read') return 'none';
  if (readback?.effect === 'applied') return 'applied';
  return readback?.effect === 'not_applied' && sure ? 'none' : 'unknown';
}
