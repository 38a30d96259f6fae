import type { Effect, Outcome, ReadbackEffect } from '@writ/contracts';
import { doubtfulEffect, effectFits } from './result-table';

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

const allowed = (
  effectClass: 'read' | (typeof others)[number],
  outcome: Outcome,
  readback?: ReadbackEffect,
  silentRun = false,
): Effect[] =>
  effects.filter((effect) =>
    effectFits({ effectClass, outcome, effect, silentRun, ...(readback && { readback }) }),
  );

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

  it('without a readback only a tool that says so, or a claim that never ran, has had none', () => {
    for (const effectClass of others) {
      expect(allowed(effectClass, 'failed')).toEqual(['none', 'unknown']);
      expect(allowed(effectClass, 'interrupted')).toEqual(['none', 'unknown']);
      expect(allowed(effectClass, 'timed_out')).toEqual(['unknown']);
      expect(allowed(effectClass, 'unknown')).toEqual(['unknown']);
    }
  });

  it('a readback that found nothing may be overtaken by a holder that was only silent', () => {
    for (const effectClass of others)
      expect(allowed(effectClass, 'unknown', 'not_applied', true)).toEqual(['none', 'unknown']);
  });
});

describe('the effect of a call in doubt', () => {
  it.each([
    ['read', undefined, false, 'none'],
    ['read', 'unknown', true, 'none'],
    ['idempotent', undefined, true, 'unknown'],
    ['reconcilable', 'unknown', true, 'unknown'],
    ['reconcilable', 'not_applied', true, 'none'],
    ['reconcilable', 'not_applied', false, 'unknown'],
    ['irreversible', 'applied', false, 'applied'],
  ] as const)('%s, readback %s, sure %s: %s', (effectClass, readback, sure, effect) => {
    expect(doubtfulEffect(effectClass, readback && { effect: readback }, sure)).toBe(effect);
  });
});
