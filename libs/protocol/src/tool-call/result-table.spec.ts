import type { Effect, EffectClass, Outcome, ReadbackEffect } from '@writ/contracts';
import { doubtfulEffect, effectFits, type Judged } from './result-table';

const outcomes = [
  'succeeded',
  'failed',
  'timed_out',
  'interrupted',
  'unknown',
  'refused',
  'denied',
  'expired',
  'skipped',
] as const;
const effects = ['none', 'applied', 'unknown'] as const;
const others = ['idempotent', 'reconcilable', 'irreversible'] as const;

type Judging = Omit<Judged, 'effect' | 'silentRun'> & { readonly silentRun?: boolean };
const fitting = (given: Judging): Effect[] =>
  effects.filter((effect) => effectFits({ silentRun: false, ...given, effect }));
const allowed = (effectClass: EffectClass, outcome: Outcome, readback?: ReadbackEffect): Effect[] =>
  fitting({ effectClass, outcome, ...(readback && { readback }) });

describe('the table of outcomes and effects (protocol 2)', () => {
  it.each(outcomes)('a read tool that is %s has had no effect, whatever a readback says', (outcome) => {
    for (const readback of [undefined, 'applied', 'not_applied', 'unknown'] as const)
      expect(allowed('read', outcome, readback)).toEqual(['none']);
  });

  it.each(['refused', 'denied', 'expired', 'skipped'] as const)(
    'a call that is %s has had no effect',
    (outcome) => {
      for (const effectClass of others) expect(allowed(effectClass, outcome)).toEqual(['none']);
    },
  );

  it('what succeeded has applied', () => {
    for (const effectClass of others) expect(allowed(effectClass, 'succeeded')).toEqual(['applied']);
  });

  it.each(['failed', 'timed_out', 'interrupted', 'unknown'] as const)(
    'what is %s has the effect that its readback says (R8)',
    (outcome) => {
      for (const effectClass of others) {
        expect(allowed(effectClass, outcome, 'applied')).toEqual(['applied']);
        expect(allowed(effectClass, outcome, 'not_applied')).toEqual(['none']);
        expect(allowed(effectClass, outcome, 'unknown')).toEqual(['unknown']);
      }
    },
  );

  it('without a readback only a tool that says so, or a run that never began, has had none', () => {
    for (const effectClass of others) {
      expect(allowed(effectClass, 'failed')).toEqual(['none', 'unknown']);
      expect(allowed(effectClass, 'interrupted')).toEqual(['none', 'unknown']);
      expect(allowed(effectClass, 'timed_out')).toEqual(['none', 'unknown']);
      expect(allowed(effectClass, 'unknown')).toEqual(['unknown']);
    }
  });

  it('a readback that found nothing may be overtaken by a holder that was only silent', () => {
    for (const effectClass of others)
      expect(fitting({ effectClass, outcome: 'unknown', readback: 'not_applied', silentRun: true })).toEqual([
        'none',
        'unknown',
      ]);
  });
});

describe('the effect of a call in doubt', () => {
  it.each([
    { effectClass: 'read', readback: undefined, sure: false, effect: 'none' },
    { effectClass: 'read', readback: 'unknown', sure: true, effect: 'none' },
    { effectClass: 'idempotent', readback: undefined, sure: true, effect: 'unknown' },
    { effectClass: 'reconcilable', readback: 'unknown', sure: true, effect: 'unknown' },
    { effectClass: 'reconcilable', readback: 'not_applied', sure: true, effect: 'none' },
    { effectClass: 'reconcilable', readback: 'not_applied', sure: false, effect: 'unknown' },
    { effectClass: 'irreversible', readback: 'applied', sure: false, effect: 'applied' },
  ] as const)('is that of $effectClass, readback $readback, sure $sure: $effect', (row) => {
    const { effectClass, readback, sure, effect } = row;
    expect(doubtfulEffect(effectClass, readback && { effect: readback }, sure)).toBe(effect);
  });
});
