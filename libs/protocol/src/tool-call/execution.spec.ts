import { callStream } from '@writ/contracts';
import { ignored, rejected } from '../decision';
import {
  callId,
  claim,
  commit,
  hold,
  newCall,
  plain,
  readBack,
  request,
  resultDraft,
  rerun,
  takeOver,
} from '../testing/call-world';
import { digest, executor, heir } from '../testing/facts';
import { effectIfNeverBegun } from './decide-execution';

describe('a claim', () => {
  it('starts a ready call as its first attempt, under its own revision as epoch', () => {
    const started = newCall().did(claim());
    expect(started.state).toMatchObject({
      status: 'running',
      epoch: 0,
      attempt: 1,
      holder: executor,
      epochs: [0],
    });
    const [event] = started.journal.of(callStream(callId));
    expect(event?.data).toMatchObject({ attempt: 1, idempotencyKey: 'key-c1', argsDigest: digest('d') });
    expect(event?.data).not.toHaveProperty('epoch');
  });

  it.each([
    [{ sessionId: 's2' }, 'staged_event_must_match'],
    [{ stagedRevision: 4 }, 'staged_event_must_match'],
    [{ pool: 'gpu' }, 'pool_must_match'],
    [{ argsDigest: digest('0') }, 'args_digest_must_match'],
    [{ definitionDigest: digest('0') }, 'definition_must_match'],
  ] as const)('is refused where the executor has something else: %j (R1)', (given, code) => {
    expect(newCall().asked(claim(given))).toEqual(rejected(code));
  });

  it('is refused while a person has not granted it (R6)', () => {
    const asked = newCall({ verdict: 'ask' });
    expect(asked.asked(claim())).toEqual(rejected('approval_must_be_granted'));
    expect(asked.did(request()).asked(claim())).toEqual(rejected('approval_must_be_granted'));
  });

  it('is ignored where the call is claimed, mine, held or settled already (R16)', () => {
    const running = newCall({ effectClass: 'reconcilable', onDoubt: 'hold_for_person' }).did(claim());
    expect(running.asked(claim())).toEqual(ignored('already_mine'));
    expect(running.asked(claim({ instance: heir }))).toEqual(ignored('already_claimed'));
    expect(running.did(takeOver()).did(hold()).asked(claim())).toEqual(ignored('held'));
    expect(running.did(commit()).asked(claim({ pool: 'other' }))).toEqual(ignored('already_settled'));
  });
});

describe("a refusal by the tool's own check", () => {
  const refuse = { type: 'RefuseByCheck', instance: executor, result: plain } as const;

  it('settles a ready call without a start and without an epoch (R6)', () => {
    const settled = newCall().did(refuse);
    expect(settled.state).toMatchObject({
      status: 'settled',
      attempts: 0,
      result: { outcome: 'refused', effect: 'none' },
    });
    expect(settled.journal.of(callStream(callId)).at(-1)?.data).not.toHaveProperty('epoch');
  });

  it('comes too late for a claimed call and too early for one that a person has not granted', () => {
    expect(newCall().did(claim()).asked(refuse)).toEqual(ignored('already_claimed'));
    expect(newCall().did(refuse).asked(refuse)).toEqual(ignored('already_settled'));
    expect(newCall({ verdict: 'ask' }).asked(refuse)).toEqual(rejected('approval_must_be_granted'));
  });
});

describe('a commit', () => {
  it('settles a running call under its epoch', () => {
    const settled = newCall().did(claim()).did(commit());
    expect(settled.state).toMatchObject({
      status: 'settled',
      revision: 1,
      result: {
        outcome: 'succeeded',
        effect: 'applied',
        epoch: 0,
        stream: 'toolcall-c1',
        revision: 1,
        digest: digest('f'),
      },
    });
  });

  it('keeps code and readback in the event, and no keys without a value', () => {
    const readback = { effect: 'applied', evidence: { id: 1 } } as const;
    const draft = { outcome: 'timed_out', effect: 'applied', code: 'deadline', readback } as const;
    const settled = newCall().did(claim()).did(commit(draft));
    expect(settled.state).toMatchObject({ result: { code: 'deadline' } });
    const event = settled.journal.events.at(-1);
    expect(event?.data).toMatchObject({ code: 'deadline', readback });
    const bare = newCall().did(claim()).did(commit()).journal.events.at(-1);
    expect(Object.keys(bare?.data ?? {}).sort()).toEqual([
      'callId',
      'content',
      'digest',
      'effect',
      'epoch',
      'outcome',
    ]);
  });

  it('is refused to anybody but the holder under the current epoch (A5)', () => {
    const running = newCall().did(claim());
    expect(running.asked(commit({}, { instance: heir }))).toEqual(rejected('epoch_must_be_current'));
    expect(running.asked(commit({}, { epoch: 5 }))).toEqual(rejected('epoch_must_be_current'));
    expect(running.did(takeOver()).asked(commit())).toEqual(rejected('epoch_must_be_current'));
    expect(newCall().asked(commit())).toEqual(rejected('epoch_must_be_current'));
  });

  it('is ignored once the call has its one result (R4)', () => {
    expect(newCall().did(claim()).did(commit()).asked(commit())).toEqual(ignored('already_settled'));
  });

  it.each(['refused', 'denied', 'expired', 'skipped'] as const)(
    'never says %s of a started call (A7)',
    (outcome) => {
      const running = newCall().did(claim());
      expect(running.asked(commit({ outcome, effect: 'none' }))).toEqual(rejected('outcome_must_fit_state'));
    },
  );

  it('keeps to the table of outcomes and effects (protocol 2)', () => {
    const running = newCall().did(claim());
    expect(running.asked(commit({ outcome: 'timed_out', effect: 'applied' }))).toEqual(
      rejected('effect_must_fit_outcome'),
    );
    expect(running.asked(commit({ outcome: 'timed_out', effect: 'unknown' })).kind).toBe('accepted');
  });

  it.each(['interrupted', 'timed_out'] as const)('that is %s may say that the run never began', (outcome) => {
    const neverBegan = { outcome, effect: 'none' } as const;
    expect(newCall().did(claim()).asked(commit(neverBegan)).kind).toBe('accepted');
  });

  it('does not say so of an idempotent call that an earlier attempt may have applied (R9)', () => {
    const second = newCall().did(claim()).did(takeOver()).did(rerun());
    const mine = { instance: heir, epoch: 1 };
    for (const outcome of ['interrupted', 'timed_out'] as const) {
      expect(second.asked(commit({ outcome, effect: 'none' }, mine))).toEqual(
        rejected('effect_must_fit_outcome'),
      );
      expect(second.asked(commit({ outcome, effect: 'unknown' }, mine)).kind).toBe('accepted');
    }
    expect(second.asked(commit({ outcome: 'failed', effect: 'none' }, mine)).kind).toBe('accepted');
    const asked = { effect: 'not_applied', evidence: null } as const;
    expect(second.asked(commit({ outcome: 'interrupted', effect: 'none', readback: asked }, mine)).kind).toBe(
      'accepted',
    );
  });

  it('says so of a call that was run again because it had not been applied', () => {
    const again = newCall({ effectClass: 'reconcilable' })
      .did(claim())
      .did(takeOver())
      .did(readBack('not_applied'))
      .did(rerun());
    const mine = { instance: heir, epoch: 1 };
    expect(again.asked(commit({ outcome: 'interrupted', effect: 'none' }, mine)).kind).toBe('accepted');
    if (again.state.status !== 'running') throw new Error('not running');
    expect(effectIfNeverBegun(again.state)).toBe('none');
  });

  it('of whoever reconciles succeeds only on a readback that says applied (R9)', () => {
    const mine = { instance: heir, epoch: 1 };
    const taken = newCall({ effectClass: 'reconcilable' }).did(claim()).did(takeOver());
    expect(taken.asked(commit({}, mine))).toEqual(rejected('outcome_must_fit_state'));
    expect(taken.did(readBack('unknown')).asked(commit({}, mine))).toEqual(
      rejected('outcome_must_fit_state'),
    );
    expect(taken.did(readBack('applied')).asked(commit({}, mine)).kind).toBe('accepted');
  });

  it('of whoever reconciles never says that the call had not been started (A7)', () => {
    const taken = newCall({ effectClass: 'read' }).did(claim()).did(takeOver());
    const skipped = commit({ outcome: 'skipped', effect: 'none' }, { instance: heir, epoch: 1 });
    expect(taken.asked(skipped)).toEqual(rejected('outcome_must_fit_state'));
  });

  it('of whoever reconciles knows of no effect only through a readback', () => {
    const mine = { instance: heir, epoch: 1 };
    const taken = newCall({ effectClass: 'reconcilable' }).did(claim()).did(takeOver());
    const none = { outcome: 'failed', effect: 'none' } as const;
    expect(taken.asked(commit(none, mine))).toEqual(rejected('effect_must_fit_outcome'));
    const asked = taken.did(readBack('not_applied'));
    expect(asked.asked(commit({ outcome: 'unknown', effect: 'none' }, mine)).kind).toBe('accepted');
    expect(asked.asked(commit({ outcome: 'unknown', effect: 'unknown' }, mine))).toEqual(
      rejected('effect_must_fit_outcome'),
    );
  });
});

describe('late evidence', () => {
  const late = {
    type: 'RecordLateResult',
    epoch: 0,
    outcome: 'succeeded',
    effect: 'applied',
    content: plain.content,
    digest: digest('9'),
  } as const;

  it('of a superseded epoch is kept and changes nothing else', () => {
    const taken = newCall({ effectClass: 'reconcilable' }).did(claim()).did(takeOver());
    const kept = taken.did(late);
    expect(kept.state).toMatchObject({
      status: 'reconciling',
      epoch: 1,
      revision: 2,
      late: [{ epoch: 0, digest: digest('9') }],
    });
  });

  it('after the result never becomes a second one (R4, R8)', () => {
    const settled = newCall()
      .did(claim())
      .did(commit({ outcome: 'timed_out', effect: 'unknown' }));
    const kept = settled.did(late);
    expect(kept.state).toMatchObject({
      status: 'settled',
      revision: 2,
      result: { outcome: 'timed_out', revision: 1 },
    });
  });

  it('is refused while it could still be the result, and of an epoch that never was', () => {
    expect(newCall().did(claim()).asked(late)).toEqual(rejected('late_must_be_late'));
    expect(
      newCall()
        .did(claim())
        .did(commit())
        .asked({ ...late, epoch: 3 }),
    ).toEqual(rejected('late_must_be_late'));
  });

  it('that is the result itself, or is on record, is ignored', () => {
    const settled = newCall().did(claim()).did(commit());
    expect(settled.asked({ ...late, digest: resultDraft().digest })).toEqual(ignored('is_the_result'));
    expect(settled.did(late).asked(late)).toEqual(ignored('already_recorded'));
  });

  it('fills a stream only up to a limit', () => {
    let world = newCall().did(claim()).did(commit());
    for (let i = 0; i < 16; i += 1)
      world = world.did({ ...late, digest: `sha256:${String(i).padStart(64, '0')}` });
    expect(world.asked(late)).toEqual(ignored('late_records_full'));
    const decision = {
      type: 'RecordLateDecision',
      by: 'ann',
      decidedAt: '2026-01-01T10:00:00.000Z',
      answer: 'grant',
    } as const;
    expect(world.asked(decision)).toEqual(ignored('late_records_full'));
  });
});
