import { ignored, rejected } from '../decision';
import {
  claim,
  commit,
  hold,
  newCall,
  orderRerun,
  readBack,
  resultDraft,
  takeOver,
  request,
} from '../testing/call-world';
import { executor, heir, owner } from '../testing/facts';
import type { CallCommand } from './commands';
import { abandonedResult, resolvedResult } from './decide-doubt';

const held = newCall({ effectClass: 'irreversible', onDoubt: 'hold_for_person' })
  .did(claim())
  .did(takeOver())
  .did(hold());

const resolve = (
  effect: 'applied' | 'not_applied' | 'unknown',
  result: Parameters<typeof resultDraft>[0] = resolvedResult(effect),
): CallCommand => ({
  type: 'ResolveDoubt',
  by: 'ann',
  authentication: 'local',
  effect,
  evidence: 'looked',
  rerun: false,
  result: resultDraft(result),
});
const settle = (given: Parameters<typeof resultDraft>[0], instance = owner): CallCommand => ({
  type: 'SettleAbandoned',
  instance,
  result: resultDraft(given),
});

describe("a person's resolution", () => {
  it.each([
    ['applied', 'succeeded', 'applied'],
    ['not_applied', 'failed', 'none'],
    ['unknown', 'unknown', 'unknown'],
  ] as const)('that says %s settles the call as %s in the same append', (effect, outcome, settledEffect) => {
    const decision = held.asked(resolve(effect));
    expect(decision).toMatchObject({
      kind: 'accepted',
      events: [{ type: 'DoubtResolved' }, { type: 'ToolResultCommitted' }],
    });
    expect(held.did(resolve(effect)).state).toMatchObject({
      status: 'settled',
      result: { outcome, effect: settledEffect, epoch: 1 },
    });
  });

  it('is refused where the result says something else than the person', () => {
    expect(held.asked(resolve('applied', { outcome: 'failed', effect: 'none' }))).toEqual(
      rejected('outcome_must_fit_state'),
    );
    expect(held.asked(resolve('unknown', { outcome: 'unknown', effect: 'none' }))).toEqual(
      rejected('effect_must_fit_outcome'),
    );
  });

  it('is for held calls only; for a settled one it is late evidence', () => {
    expect(newCall().asked(resolve('applied'))).toEqual(rejected('doubt_must_be_held'));
    expect(newCall().did(claim()).asked(orderRerun)).toEqual(rejected('doubt_must_be_held'));
    expect(held.did(resolve('unknown')).asked(resolve('applied'))).toEqual(rejected('already_settled'));
  });

  it('that orders a rerun frees the call, irreversible as it is, for a claim under a new epoch (R9)', () => {
    const ordered = held.did(orderRerun);
    expect(ordered.state).toMatchObject({ status: 'ready', order: { by: 'ann', revision: 3 }, attempts: 1 });
    const again = ordered.did(claim({ instance: heir }));
    expect(again.state).toMatchObject({ status: 'running', epoch: 4, epochs: [0, 1, 4], attempt: 2 });
    expect(again.state).not.toHaveProperty('order');
  });

  it('orders a rerun only with the word that nothing was applied', () => {
    for (const effect of ['applied', 'unknown'] as const)
      expect(held.asked({ ...orderRerun, effect } as CallCommand)).toEqual(
        rejected('rerun_must_be_not_applied'),
      );
  });

  it('orders no rerun where no epoch is left for it', () => {
    const late = newCall({ effectClass: 'reconcilable', onDoubt: 'hold_for_person' })
      .did(claim())
      .did(takeOver())
      .did(takeOver(heir, 'gone', 'tool-executor.e3#0'))
      .did(hold({ instance: 'tool-executor.e3#0', epoch: 2 }));
    expect(late.asked(orderRerun)).toEqual(rejected('epochs_must_not_be_used_up'));
  });

  it("is not asked of the tool's own check again: it was started before (A7)", () => {
    const refuse = { type: 'RefuseByCheck', instance: heir, result: resultDraft() } as const;
    expect(held.did(orderRerun).asked(refuse)).toEqual(rejected('outcome_must_fit_state'));
  });
});

describe('what the owner settles after abandoning it', () => {
  const skipped = { outcome: 'skipped', effect: 'none' } as const;

  it('was skipped where it had never started, and a claim then comes too late', () => {
    for (const world of [
      newCall(),
      newCall({ verdict: 'ask' }),
      newCall({ verdict: 'ask' }).did(request()),
    ]) {
      expect(abandonedResult(world.state, owner)).toEqual(skipped);
      const settled = world.did(settle(skipped));
      expect(settled.state).toMatchObject({ status: 'settled', result: skipped });
      expect(settled.journal.events.at(-1)?.data).not.toHaveProperty('epoch');
      expect(settled.asked(claim())).toEqual(ignored('already_settled'));
    }
  });

  it('is unknown where a person had ordered a rerun that nobody took: it had started once (A7)', () => {
    const ordered = held.did(orderRerun);
    const due = abandonedResult(ordered.state, owner);
    expect(due).toEqual({
      outcome: 'unknown',
      effect: 'none',
      readback: { effect: 'not_applied', evidence: 'looked' },
    });
    expect(ordered.asked(settle(skipped))).toEqual(rejected('outcome_must_fit_state'));
    expect(ordered.did(settle(due)).state).toMatchObject({
      status: 'settled',
      result: { outcome: 'unknown', epoch: 1 },
    });
  });

  it('is unknown where it was held', () => {
    expect(abandonedResult(held.state, owner)).toEqual({ outcome: 'unknown', effect: 'unknown' });
    expect(held.asked(settle({ outcome: 'unknown', effect: 'none' }))).toEqual(
      rejected('effect_must_fit_outcome'),
    );
    expect(held.did(settle({ outcome: 'unknown', effect: 'unknown' })).state).toMatchObject({
      status: 'settled',
      result: { epoch: 1 },
    });
  });

  it('has no effect where the readback found none and nobody can act any more', () => {
    const asked = newCall({ effectClass: 'irreversible', onDoubt: 'hold_for_person' }).did(claim());
    const gone = asked.did(takeOver()).did(readBack('not_applied')).did(hold());
    expect(abandonedResult(gone.state, owner)).toMatchObject({ outcome: 'unknown', effect: 'none' });
    const silent = asked.did(takeOver(executor, 'silent')).did(readBack('not_applied')).did(hold());
    expect(abandonedResult(silent.state, owner)).toMatchObject({ outcome: 'unknown', effect: 'unknown' });
  });

  it('is what nobody knows where the owner took it over, but what was read back stays true', () => {
    const lost = newCall({ effectClass: 'reconcilable' })
      .did(claim())
      .did(takeOver(executor, 'gone', owner));
    expect(abandonedResult(lost.state, owner)).toEqual({ outcome: 'unknown', effect: 'unknown' });
    expect(lost.did(settle({ outcome: 'unknown', effect: 'unknown' })).state).toMatchObject({
      result: { epoch: 1 },
    });
    const known = newCall({ effectClass: 'reconcilable' })
      .did(claim())
      .did(takeOver())
      .did(readBack('applied', { result: [{ type: 'text', text: 'sent' }] }))
      .did(takeOver(heir, 'gone', owner));
    expect(abandonedResult(known.state, owner)).toMatchObject({
      outcome: 'succeeded',
      effect: 'applied',
      content: [{ type: 'text', text: 'sent' }],
    });
  });

  it('is none of its business while somebody else holds it', () => {
    const running = newCall().did(claim());
    const taken = running.did(takeOver());
    for (const world of [running, taken]) {
      expect(abandonedResult(world.state, owner)).toBeUndefined();
      expect(world.asked(settle({ outcome: 'unknown', effect: 'unknown' }))).toEqual(
        rejected('holder_must_settle'),
      );
    }
    expect(running.did(commit()).asked(settle(skipped))).toEqual(ignored('already_settled'));
  });
});
