import { leaseStream } from '@writ/contracts';
import { ignored, rejected } from '../decision';
import { claim, commit, hold, newCall, readBack, rerun, takeOver } from '../testing/call-world';
import { digest, executor, heir } from '../testing/facts';

const third = 'tool-executor.e3#0';
const running = newCall({ effectClass: 'reconcilable', onDoubt: 'hold_for_person' }).did(claim());
const taken = running.did(takeOver());

describe('a takeover', () => {
  it('gives the call a new epoch and says how its holder ended', () => {
    expect(taken.state).toMatchObject({
      status: 'reconciling',
      epoch: 1,
      epochs: [0, 1],
      holder: heir,
      holderWas: 'gone',
    });
    expect(taken.journal.events.at(-1)?.data).toMatchObject({ supersededEpoch: 0, holder: 'gone' });
  });

  it('names the ended lease of the very holder (protocol 7)', () => {
    const other = { ...takeOver(), endedInstance: third } as ReturnType<typeof takeOver>;
    expect(running.asked(other)).toEqual(rejected('lease_must_be_the_holders'));
    const stream = leaseStream(third);
    const wrongStream = { ...takeOver(), leaseEnded: { stream, revision: 1 } } as ReturnType<typeof takeOver>;
    expect(running.asked(wrongStream)).toEqual(rejected('lease_must_be_the_holders'));
    expect(taken.asked(takeOver(executor, 'gone', third))).toEqual(rejected('lease_must_be_the_holders'));
  });

  it('may follow another one whose holder ended in turn, without end: somebody must settle the call', () => {
    let world = running;
    let before = executor;
    for (let i = 1; i <= 6; i += 1) {
      const next = `tool-executor.x${i}#0`;
      world = world.did(takeOver(before, 'gone', next));
      before = next;
    }
    expect(world.state.epochs).toHaveLength(7);
  });

  it('is ignored where there is nobody to take over from, or nothing to take', () => {
    expect(newCall().asked(takeOver())).toEqual(ignored('not_started'));
    expect(running.asked(takeOver(executor, 'gone', executor))).toEqual(ignored('already_mine'));
    expect(taken.did(hold()).asked(takeOver(heir))).toEqual(ignored('held'));
    expect(running.did(commit()).asked(takeOver())).toEqual(ignored('already_settled'));
  });
});

describe('a readback', () => {
  it('is recorded once per epoch, by whoever reconciles', () => {
    const asked = taken.did(readBack('not_applied', { result: [{ type: 'text', text: 'x' }] }));
    expect(asked.state).toMatchObject({
      status: 'reconciling',
      readback: { epoch: 1, effect: 'not_applied' },
    });
    expect(asked.asked(readBack('applied'))).toEqual(ignored('already_read_back'));
  });

  it('is refused to anybody else and outside a reconciliation', () => {
    expect(taken.asked(readBack('applied', { instance: third }))).toEqual(rejected('epoch_must_be_current'));
    expect(taken.asked(readBack('applied', { epoch: 0 }))).toEqual(rejected('epoch_must_be_current'));
    expect(running.asked(readBack('applied'))).toEqual(rejected('epoch_must_be_current'));
    expect(running.did(commit()).asked(readBack('applied'))).toEqual(ignored('already_settled'));
  });
});

describe('a rerun (R9)', () => {
  it('starts the next attempt under the epoch of the takeover', () => {
    const again = taken.did(readBack('not_applied')).did(rerun());
    expect(again.state).toMatchObject({
      status: 'running',
      epoch: 1,
      epochs: [0, 1],
      attempt: 2,
      attempts: 2,
      holder: heir,
    });
    expect(again.journal.events.at(-1)?.data).toMatchObject({
      epoch: 1,
      attempt: 2,
      idempotencyKey: 'key-c1',
    });
    expect(again.asked(rerun())).toEqual(ignored('already_running'));
  });

  it('needs the same definition', () => {
    const asked = taken.did(readBack('not_applied'));
    expect(asked.asked(rerun({ definitionDigest: digest('0') }))).toEqual(rejected('definition_must_match'));
  });

  it('of a reconcilable call needs a readback of this epoch that says not applied', () => {
    expect(taken.asked(rerun())).toEqual(rejected('rerun_must_be_allowed'));
    expect(taken.did(readBack('unknown')).asked(rerun())).toEqual(rejected('rerun_must_be_allowed'));
    expect(taken.did(readBack('applied')).asked(rerun())).toEqual(rejected('rerun_must_be_allowed'));
    const inherited = taken.did(readBack('not_applied')).did(takeOver(heir, 'gone', third));
    expect(inherited.asked(rerun({ instance: third, epoch: 3 }))).toEqual(rejected('rerun_must_be_allowed'));
  });

  it('on mere silence needs a fence', () => {
    const silent = running.did(takeOver(executor, 'silent')).did(readBack('not_applied'));
    expect(silent.asked(rerun())).toEqual(rejected('rerun_must_be_allowed'));
    expect(silent.asked(rerun({ fenced: true })).kind).toBe('accepted');
  });

  it('of an irreversible call is never allowed', () => {
    const world = newCall({ effectClass: 'irreversible' })
      .did(claim())
      .did(takeOver())
      .did(readBack('not_applied'));
    expect(world.asked(rerun({ fenced: true }))).toEqual(rejected('rerun_must_be_allowed'));
  });

  it('of a read or idempotent call needs nothing more', () => {
    for (const effectClass of ['read', 'idempotent'] as const)
      expect(
        newCall({ effectClass }).did(claim()).did(takeOver(executor, 'silent')).asked(rerun()).kind,
      ).toBe('accepted');
  });

  it('is possible under three epochs and not under a fourth', () => {
    const start = newCall({ effectClass: 'read' }).did(claim());
    const second = start.did(takeOver()).did(rerun());
    const thirdRun = second.did(takeOver(heir, 'gone', third)).did(rerun({ instance: third, epoch: 3 }));
    expect(thirdRun.state).toMatchObject({ status: 'running', attempt: 3, epochs: [0, 1, 3] });
    const fourth = thirdRun.did(takeOver(third, 'gone', executor));
    expect(fourth.asked(rerun({ instance: executor, epoch: 5 }))).toEqual(
      rejected('epochs_must_not_be_used_up'),
    );
  });

  it('of a settled call is ignored, as is its hold', () => {
    expect(running.did(commit()).asked(rerun())).toEqual(ignored('already_settled'));
    expect(running.did(commit()).asked(hold())).toEqual(ignored('already_settled'));
  });

  it('is refused to anybody but whoever took the call over', () => {
    const world = newCall({ effectClass: 'read' }).did(claim()).did(takeOver());
    expect(world.asked(rerun({ instance: third }))).toEqual(rejected('epoch_must_be_current'));
    expect(world.asked(rerun({ epoch: 0 }))).toEqual(rejected('epoch_must_be_current'));
  });
});

describe('a hold', () => {
  it('leaves the call to a person', () => {
    const held = taken.did(readBack('unknown')).did(hold({ evidence: ['e'] }));
    expect(held.state).toMatchObject({
      status: 'held',
      epoch: 1,
      evidence: ['e'],
      readback: { effect: 'unknown' },
    });
    expect(held.state).not.toHaveProperty('holder');
    expect(held.asked(hold())).toEqual(ignored('already_held'));
  });

  it('is refused where policy tells the model, for a read tool, and to strangers', () => {
    const told = newCall({ effectClass: 'reconcilable' }).did(claim()).did(takeOver());
    expect(told.asked(hold())).toEqual(rejected('hold_must_be_policy'));
    const read = newCall({ effectClass: 'read', onDoubt: 'hold_for_person' }).did(claim()).did(takeOver());
    expect(read.asked(hold())).toEqual(rejected('hold_must_be_policy'));
    expect(taken.asked(hold({ instance: third }))).toEqual(rejected('epoch_must_be_current'));
  });
});
