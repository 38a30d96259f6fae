import type { EffectClass, OnDoubt, ReadbackEffect } from '@writ/contracts';
import type { ReadbackAnswer } from '../ports';
import { heldByHeir } from '../testing/heir';
import { lostCall } from '../testing/lost-call';
import { reconcileCall } from './reconcile-call';

interface Case {
  readonly effectClass: EffectClass;
  readonly holder: 'gone' | 'silent';
  /** What the tool's readback answers; absent: it has none. */
  readonly says?: ReadbackEffect;
  readonly fenced: boolean;
  readonly onDoubt: OnDoubt;
}

/** How often the tool ran under its heir, and how the record then stands. */
async function reconciled({ effectClass, holder, says, fenced, onDoubt }: Case) {
  const world = await lostCall({ effectClass, fenced, onDoubt, hasReadback: says !== undefined });
  const taken = await world.takeOver(holder);
  let runs = 0;
  const answer: ReadbackAnswer = { effect: says ?? 'unknown', evidence: 'looked' };
  const runner = {
    run: () => {
      runs += 1;
      return { result: Promise.resolve({ status: 'returned' as const, content: [] }), kill: () => undefined };
    },
    readback: () => Promise.resolve(answer),
  };
  const held = await heldByHeir(world, runner);
  await reconcileCall(held, taken);
  const state = await world.now();
  return state.status === 'settled'
    ? `${state.result.outcome}, ${state.result.effect}, ${runs} runs`
    : `${state.status}, ${runs} runs`;
}

const again = 'succeeded, applied, 1 runs';
const found = 'succeeded, applied, 0 runs';
const unknown = 'unknown, unknown, 0 runs';
const untouched = 'unknown, none, 0 runs';

/** Told to the model, per [class, holder, readback, fenced]; whatever ends as `unknown` here is what policy may hold. */
const table: readonly (readonly [
  EffectClass,
  'gone' | 'silent',
  ReadbackEffect | undefined,
  boolean,
  string,
])[] = [
  ['read', 'gone', undefined, false, 'succeeded, none, 1 runs'],
  ['read', 'silent', undefined, false, 'succeeded, none, 1 runs'],
  ['idempotent', 'gone', undefined, false, again],
  ['idempotent', 'silent', undefined, false, again],
  ['idempotent', 'gone', 'applied', false, found],
  ['idempotent', 'silent', 'not_applied', false, again],
  ['idempotent', 'silent', 'unknown', false, again],
  ...(['gone', 'silent'] as const).flatMap((holder) =>
    [false, true].flatMap((fenced) => [
      ['reconcilable', holder, 'applied', fenced, found] as const,
      [
        ...(['reconcilable', holder, 'not_applied', fenced] as const),
        holder === 'gone' || fenced ? again : unknown,
      ] as const,
      ['reconcilable', holder, 'unknown', fenced, unknown] as const,
      ['irreversible', holder, undefined, fenced, unknown] as const,
      ['irreversible', holder, 'applied', fenced, found] as const,
      [
        ...(['irreversible', holder, 'not_applied', fenced] as const),
        holder === 'gone' || fenced ? untouched : unknown,
      ] as const,
      ['irreversible', holder, 'unknown', fenced, unknown] as const,
    ]),
  ),
];

describe('a call taken over (R9)', () => {
  it.each(table)('%s, holder %s, readback %s, fenced %s: %s', async (...row) => {
    const [effectClass, holder, says, fenced, end] = row;
    const given = { effectClass, holder, fenced, ...(says !== undefined && { says }) };
    expect(await reconciled({ ...given, onDoubt: 'tell_model' })).toBe(end);
    const inDoubt = end.startsWith('unknown');
    expect(await reconciled({ ...given, onDoubt: 'hold_for_person' })).toBe(inDoubt ? 'held, 0 runs' : end);
  });
});
