import type { EffectClass, LeaseEndReason, ReadbackEffect } from '@writ/contracts';
import { claim, newCall, readBack, rerun, takeOver, type CallWorld } from '../testing/call-world';
import { reconcile, type Reconciliation } from './reconcile';
import type { ReconcilingCall } from './state';

type Short = 'ask' | 'run' | 'commit' | 'unknown' | 'none' | 'failed';
type Answer = ReadbackEffect | 'not_asked';

/** Who may run the tool again, and whether an earlier holder may still act. */
const columns = ['may run, sure', 'may run, silent', 'may not run, sure', 'may not run, silent'] as const;

/**
 * R9, row by row: class, has a readback, what it said. `unknown` and `none` are the effect of a call that is settled in
 * doubt (or held, where policy says so); `failed` is a `read` call that nobody may run any more.
 */
const table: readonly (readonly [EffectClass, boolean, Answer, readonly [Short, Short, Short, Short]])[] = [
  ['read', false, 'not_asked', ['run', 'run', 'failed', 'failed']],
  ['read', true, 'not_asked', ['run', 'run', 'failed', 'failed']],
  ['read', true, 'applied', ['run', 'run', 'failed', 'failed']],
  ['read', true, 'not_applied', ['run', 'run', 'failed', 'failed']],
  ['read', true, 'unknown', ['run', 'run', 'failed', 'failed']],
  ['idempotent', false, 'not_asked', ['run', 'run', 'unknown', 'unknown']],
  ['idempotent', true, 'not_asked', ['ask', 'ask', 'ask', 'ask']],
  ['idempotent', true, 'applied', ['commit', 'commit', 'commit', 'commit']],
  ['idempotent', true, 'not_applied', ['run', 'run', 'none', 'unknown']],
  ['idempotent', true, 'unknown', ['run', 'run', 'unknown', 'unknown']],
  ['reconcilable', false, 'not_asked', ['unknown', 'unknown', 'unknown', 'unknown']],
  ['reconcilable', true, 'not_asked', ['ask', 'ask', 'ask', 'ask']],
  ['reconcilable', true, 'applied', ['commit', 'commit', 'commit', 'commit']],
  ['reconcilable', true, 'not_applied', ['run', 'unknown', 'none', 'unknown']],
  ['reconcilable', true, 'unknown', ['unknown', 'unknown', 'unknown', 'unknown']],
  ['irreversible', false, 'not_asked', ['unknown', 'unknown', 'unknown', 'unknown']],
  ['irreversible', true, 'not_asked', ['ask', 'ask', 'ask', 'ask']],
  ['irreversible', true, 'applied', ['commit', 'commit', 'commit', 'commit']],
  ['irreversible', true, 'not_applied', ['none', 'unknown', 'none', 'unknown']],
  ['irreversible', true, 'unknown', ['unknown', 'unknown', 'unknown', 'unknown']],
];

function expected(short: Short, holds: boolean): Reconciliation {
  if (short === 'ask') return { do: 'read_back' };
  if (short === 'run') return { do: 'run_again' };
  if (short === 'commit') return { do: 'commit_applied' };
  if (short === 'failed') return { do: 'settle', outcome: 'failed', effect: 'none' };
  return holds ? { do: 'hold' } : { do: 'settle', outcome: 'unknown', effect: short };
}

const worlds = new Map<string, { world: CallWorld; epoch: number }>();

/** A call that was claimed and taken over; `epochs` in all, every one of them but the last gone without a rerun. */
function taken(
  effectClass: EffectClass,
  holder: LeaseEndReason,
  epochs = 2,
): { world: CallWorld; epoch: number } {
  const key = `${effectClass} ${holder} ${epochs}`;
  const known = worlds.get(key);
  if (known !== undefined) return known;
  let world = newCall({ effectClass, onDoubt: 'hold_for_person' }).did(claim());
  let before = 'tool-executor.e1#0';
  for (let epoch = 1; epoch < epochs; epoch += 1) {
    const next = `tool-executor.h${epoch}#0`;
    world = world.did(takeOver(before, epoch === 1 ? holder : 'gone', next));
    before = next;
  }
  worlds.set(key, { world, epoch: epochs - 1 });
  return { world, epoch: epochs - 1 };
}

function reconciling(world: CallWorld): ReconcilingCall {
  if (world.state.status !== 'reconciling') throw new Error('not reconciling');
  return world.state;
}

const answered = (world: CallWorld, answer: Answer, by: { epoch: number; instance: string }): CallWorld =>
  answer === 'not_asked' ? world : world.did(readBack(answer, by));

const combinations = table.flatMap(([effectClass, hasReadback, answer, row]) =>
  (['gone', 'released', 'silent'] as const).flatMap((holder) =>
    [true, false].flatMap((fenced) =>
      [2, 3, 4].flatMap((epochs) =>
        [true, false].flatMap((sameDefinition) =>
          (['hold_for_person', 'tell_model'] as const).map((onDoubt) => {
            const mayRun = sameDefinition && epochs <= 3;
            const sure = fenced || holder !== 'silent';
            const short = row[(mayRun ? 0 : 2) + (sure ? 0 : 1)] ?? 'failed';
            const column = columns[(mayRun ? 0 : 2) + (sure ? 0 : 1)];
            return {
              effectClass,
              hasReadback,
              answer,
              holder,
              fenced,
              epochs,
              sameDefinition,
              onDoubt,
              short,
              column,
            };
          }),
        ),
      ),
    ),
  ),
);

describe('what follows a takeover (R9)', () => {
  it('covers every combination', () => {
    expect(combinations).toHaveLength(20 * 3 * 2 * 3 * 2 * 2);
  });

  it.each(table)('%s, readback %s, said %s: %j', (effectClass, hasReadback, answer) => {
    for (const each of combinations.filter(
      (one) => one.effectClass === effectClass && one.hasReadback === hasReadback && one.answer === answer,
    )) {
      const { world, epoch } = taken(effectClass, each.holder, each.epochs);
      const instance = `tool-executor.h${epoch}#0`;
      const key = `${effectClass} ${each.holder} ${each.epochs} ${answer}`;
      const asked = worlds.get(key)?.world ?? answered(world, answer, { epoch, instance });
      worlds.set(key, { world: asked, epoch });
      const state = reconciling(asked);
      const tool = { effectClass, fenced: each.fenced, hasReadback, sameDefinition: each.sameDefinition };
      expect({ ...each, is: reconcile(state, tool, each.onDoubt) }).toEqual({
        ...each,
        is: expected(each.short, each.onDoubt === 'hold_for_person'),
      });
    }
  });

  it('asks again what an earlier holder has asked, unless it had applied', () => {
    const { world } = taken('reconcilable', 'gone');
    const tool = {
      effectClass: 'reconcilable',
      fenced: false,
      hasReadback: true,
      sameDefinition: true,
    } as const;
    const mine = { epoch: 1, instance: 'tool-executor.h1#0' };
    const next = takeOver('tool-executor.h1#0', 'gone', 'tool-executor.h2#0');
    const unsure = reconciling(world.did(readBack('not_applied', mine)).did(next));
    expect(reconcile(unsure, tool, 'tell_model')).toEqual({ do: 'read_back' });
    const applied = reconciling(world.did(readBack('applied', mine)).did(next));
    expect(reconcile(applied, tool, 'tell_model')).toEqual({ do: 'commit_applied' });
  });

  it('never forgets a holder that had started and was only silent, however later holders ended', () => {
    const { world } = taken('reconcilable', 'silent', 3);
    expect(reconciling(world)).toMatchObject({ holderWas: 'silent', silentRun: true });
    const asked = world.did(readBack('not_applied', { epoch: 2, instance: 'tool-executor.h2#0' }));
    const tool = {
      effectClass: 'reconcilable',
      fenced: false,
      hasReadback: true,
      sameDefinition: true,
    } as const;
    expect(reconcile(reconciling(asked), tool, 'tell_model')).toEqual({
      do: 'settle',
      outcome: 'unknown',
      effect: 'unknown',
    });
  });

  it('does not hold the silence of a holder against it that had started nothing', () => {
    const world = newCall({ effectClass: 'reconcilable' })
      .did(claim())
      .did(takeOver('tool-executor.e1#0', 'gone', 'tool-executor.h1#0'))
      .did(takeOver('tool-executor.h1#0', 'silent', 'tool-executor.h2#0'));
    expect(reconciling(world)).toMatchObject({ holderWas: 'gone', silentRun: false });
  });

  it('counts a rerun as a start: its silent holder may still act', () => {
    const world = newCall({ effectClass: 'idempotent' }).did(claim()).did(takeOver()).did(rerun());
    const lost = world.did(takeOver('tool-executor.e2#0', 'silent', 'tool-executor.h2#0'));
    expect(reconciling(lost)).toMatchObject({ holderWas: 'silent', silentRun: true, epochs: [0, 1, 3] });
  });

  it('remembers a silent holder over a rerun whose own holder is gone', () => {
    const world = newCall({ effectClass: 'idempotent' })
      .did(claim())
      .did(takeOver('tool-executor.e1#0', 'silent'))
      .did(rerun())
      .did(takeOver('tool-executor.e2#0', 'gone', 'tool-executor.h2#0'));
    expect(reconciling(world)).toMatchObject({ holderWas: 'silent', silentRun: true });
  });
});
