import { commit, grant, request, rerun, takeOver } from '../testing/call-world';
import { executor, owner } from '../testing/facts';
import { after } from '../testing/journal';
import { acts, holding, round } from '../testing/session-world';
import { abandon, claimOf, failed, inherited, other, running, wake } from '../testing/turn-work';

describe('a call that nobody claims', () => {
  const world = round([{ callId: 'a' }, { callId: 'b', pool: 'gpu' }]).later(60_000);
  const noGpu = { unclaimedForMs: (pool: string) => (pool === 'gpu' ? 60_000 : 0) };

  it('has its whole time from when it could be claimed, however long its pool was idle before', () => {
    const idle = { unclaimedForMs: () => 1e9 };
    const single = round([{ callId: 'a' }]);
    expect(acts(single.later(59_999).pending(idle))).toEqual([wake('a', 0)]);
    expect(acts(single.later(60_000).pending(idle))).toEqual([
      { do: 'abandon', callIds: ['a'], why: 'unclaimed' },
    ]);
    const second = round([{ callId: 'a' }, { callId: 'b', segment: 1 }])
      .call('a', claimOf(0))
      .later(100_000)
      .call('a', commit());
    expect(acts(second.later(59_999).pending(idle))).toEqual([wake('b', 1)]);
    expect(acts(second.later(60_000).pending(idle))).toMatchObject([{ do: 'abandon', callIds: ['b'] }]);
    const siblings = round([{ callId: 'a' }, { callId: 'b' }])
      .call('a', claimOf(0))
      .later(50_000)
      .call('a', commit());
    expect(acts(siblings.later(10_000).pending(idle))).toMatchObject([{ do: 'abandon', callIds: ['b'] }]);
    const granted = round([{ callId: 'a', verdict: 'ask' }])
      .call('a', request({ stagedRevision: 4 }))
      .later(100_000)
      .call('a', grant({ decidedAt: after(100_000) }));
    expect(acts(granted.later(59_999).pending(idle))).toEqual([wake('a', 0)]);
    expect(acts(granted.later(60_000).pending(idle))).toMatchObject([{ do: 'abandon', callIds: ['a'] }]);
    const taken = inherited(single.later(100_000));
    expect(acts(taken.later(59_999).pending({ ...idle, instance: other }))).toEqual([wake('a', 0)]);
  });

  it('is abandoned once its pool is lost, settled skipped, and the turn goes on', () => {
    expect(acts(world.pending(noGpu))).toEqual([
      { do: 'abandon', callIds: ['b'], why: 'unclaimed' },
      wake('a', 0),
    ]);
    const abandoned = abandon(world, 'b', 'unclaimed');
    expect(acts(abandoned.pending())).toEqual([
      wake('a', 0),
      { do: 'settle_abandoned', callId: 'b', outcome: 'skipped', why: 'unclaimed' },
    ]);
  });

  it('is woken for as long as its pool lives, however busy', () => {
    expect(acts(world.later(500_000).pending({ unclaimedForMs: () => 59_999 }))).toContainEqual(wake('a', 0));
  });

  it('is settled as abandoned by the next owner as well (H4)', () => {
    const taken = inherited(abandon(world, 'b', 'unclaimed'));
    expect(acts(taken.pending({ instance: other }))).toContainEqual({
      do: 'settle_abandoned',
      callId: 'b',
      outcome: 'skipped',
      why: 'unclaimed',
    });
  });

  it('that was claimed after all runs on: the revision decided', () => {
    const raced = abandon(round([{ callId: 'a' }]), 'a', 'unclaimed').call('a', claimOf(0));
    expect(acts(raced.pending())).toEqual([]);
  });
});

describe('a holder whose lease has ended', () => {
  const ended = { holderLease: () => 'ended' as const };

  it('is replaced by any executor of the pool (R9)', () => {
    expect(acts(running().pending(ended))).toEqual([wake('a', 0, 'holder_ended')]);
    expect(acts(running().call('a', takeOver()).pending(ended))).toEqual([wake('a', 0, 'holder_ended')]);
  });

  it('past the deadline is still no lost result: its end is the true reason', () => {
    expect(acts(running(after(1_000)).later(30_000).pending(ended))).toEqual([wake('a', 0, 'holder_ended')]);
  });

  it('without an executor left is replaced by the owner: abandon, take over, settle unknown', () => {
    const lost = { ...ended, unclaimedForMs: () => 60_000, endedForMs: () => 60_000 };
    const world = running();
    expect(acts(world.pending({ ...lost, endedForMs: () => 59_999 }))).toEqual([
      wake('a', 0, 'holder_ended'),
    ]);
    expect(acts(world.pending(lost))).toEqual([{ do: 'abandon', callIds: ['a'], why: 'holder_lost' }]);
    const abandoned = abandon(world, 'a', 'holder_lost');
    expect(acts(abandoned.pending(ended))).toEqual([
      { do: 'take_over', callId: 'a', endedInstance: executor },
    ]);
    const taken = abandoned.call('a', takeOver(executor, 'gone', owner));
    expect(acts(taken.pending())).toEqual([
      { do: 'settle_abandoned', callId: 'a', outcome: 'unknown', why: 'holder_lost' },
    ]);
  });

  it('that the owner has replaced without a word on record is put on record first', () => {
    const taken = running().call('a', takeOver(executor, 'gone', owner));
    expect(acts(taken.pending())).toEqual([{ do: 'abandon', callIds: ['a'], why: 'holder_lost' }]);
  });

  it('that was an owner which had taken over and died is replaced by the next owner', () => {
    const world = inherited(
      abandon(running(), 'a', 'holder_lost').call('a', takeOver(executor, 'gone', owner)),
    );
    expect(acts(world.pending({ ...ended, instance: other }))).toEqual([
      { do: 'take_over', callId: 'a', endedInstance: owner },
    ]);
  });

  it('is not replaced by the owner while executors live, unless the round is over and none of them took it', () => {
    const world = running();
    expect(acts(world.pending({ ...ended, endedForMs: () => 1e9 }))).toEqual([wake('a', 0, 'holder_ended')]);
    const over = world.later(600_000);
    expect(acts(over.pending({ ...ended, endedForMs: () => 59_999 }))).toEqual([
      wake('a', 0, 'holder_ended'),
    ]);
    expect(acts(over.pending({ ...ended, endedForMs: () => 60_000 }))).toEqual([
      { do: 'abandon', callIds: ['a'], why: 'holder_lost' },
    ]);
  });
});

describe('a result that is not committed (R3)', () => {
  const world = round([{ callId: 'a' }, { callId: 'b', segment: 1 }]).call('a', claimOf(0, after(10_000)));
  /** The tool's time is a minute. */
  const runningFor = (ms: number) => ({ runningForMs: (callId: string) => (callId === 'a' ? ms : 0) });
  const lost = {
    type: 'TurnFailed',
    code: 'session_persistence_failed',
    cause: 'result_not_committed',
    message: expect.any(String) as string,
  };

  it('ends the turn when it has run for its time plus the grace, and not before', () => {
    expect(acts(world.pending(runningFor(64_999)))).toEqual([]);
    expect(world.pending(runningFor(65_000))).toEqual([{ do: 'end_turn', turnId: 't1', end: lost }]);
    expect(world.pending(runningFor(64_000))).toContainEqual({ do: 'look_again', inMs: 1_000 });
  });

  it.each([
    ['an hour behind', -3_600_000],
    ['an hour ahead', 3_600_000],
  ])(
    'is the same for a holder whose wall clock is %s: nobody reads the deadline that it recorded',
    (...given) => {
      const [, skewMs] = given;
      const skewed = round([{ callId: 'a' }]).call('a', claimOf(0, after(60_000 + skewMs)));
      expect(acts(skewed.later(64_999).pending(runningFor(64_999)))).toEqual([]);
      expect(skewed.later(65_000).pending(runningFor(65_000))).toEqual([
        { do: 'end_turn', turnId: 't1', end: lost },
      ]);
    },
  );

  it('is told only of a holder that is seen to live', () => {
    expect(acts(world.pending({ ...runningFor(65_000), holderLease: () => 'unknown' }))).toEqual([]);
  });

  it('gives a new owner the whole time from when it first saw the call run', () => {
    const late = inherited(world.later(100_000));
    expect(acts(late.pending({ instance: other, ...runningFor(64_999) }))).toEqual([]);
    expect(acts(late.pending({ instance: other, ...runningFor(65_000) }))).toEqual([
      { do: 'end_turn', turnId: 't1', end: lost },
    ]);
  });

  it('leaves what has not started unstarted and settles it skipped (F03)', () => {
    const over = failed(world.later(15_000), ['a', 'b']);
    expect(acts(over.pending())).toEqual([{ do: 'abandon', callIds: ['b'], why: 'turn_failed' }]);
    const abandoned = over.did({
      type: 'AbandonCalls',
      ...holding(over),
      callIds: ['b'],
      why: 'turn_failed',
    });
    expect(acts(abandoned.pending())).toEqual([
      { do: 'settle_abandoned', callId: 'b', outcome: 'skipped', why: 'turn_failed' },
    ]);
  });

  it('leaves what runs to its holder, or to an heir who may still find out (F02)', () => {
    const over = failed(running(), ['a']);
    expect(acts(over.pending())).toEqual([]);
    expect(acts(over.pending({ holderLease: () => 'ended' }))).toEqual([wake('a', 0, 'holder_ended')]);
    expect(acts(over.pending({ holderLease: () => 'ended', endedForMs: () => 60_000 }))).toEqual([
      { do: 'abandon', callIds: ['a'], why: 'holder_lost' },
    ]);
  });
});

describe('an open call of an interrupted turn', () => {
  it('is skipped where it has not started and hurried where it runs', () => {
    const world = round([{ callId: 'a' }, { callId: 'b' }]).call('a', claimOf(0));
    const ended = world.did({
      type: 'EndTurn',
      ...holding(world),
      turnId: 't1',
      openCalls: ['a', 'b'],
      end: { type: 'TurnInterrupted', reason: 'r' },
    });
    expect(acts(ended.pending())).toEqual([
      { do: 'abandon', callIds: ['b'], why: 'interrupted' },
      { do: 'cancel', callId: 'a', reason: 'interrupt' },
    ]);
  });
});

describe('a new owner (R10)', () => {
  const world = inherited(
    round([{ callId: 'a' }, { callId: 'b' }, { callId: 'c', verdict: 'ask' }]).call('a', claimOf(0)),
  );
  const mine = { instance: other };

  it('wakes nothing new until a started call is settled, held, or known to run under a live lease', () => {
    const asks = { do: 'wake_approvals', callId: 'c', stagedRevision: 6 };
    expect(acts(world.pending({ ...mine, holderLease: () => 'unknown' }))).toEqual([]);
    expect(acts(world.pending({ ...mine, holderLease: () => 'ended' }))).toEqual([
      wake('a', 0, 'holder_ended'),
    ]);
    expect(acts(world.pending(mine))).toEqual([wake('b', 1), asks]);
    const reconciling = world.call('a', takeOver());
    expect(acts(reconciling.pending(mine))).toEqual([]);
    expect(acts(reconciling.call('a', rerun()).pending(mine))).toEqual([wake('b', 1), asks]);
    expect(acts(world.call('a', commit()).pending(mine))).toEqual([wake('b', 1), asks]);
  });

  it('has nothing to wait for where nothing had been started', () => {
    const fresh = inherited(round([{ callId: 'a' }]));
    expect(acts(fresh.pending({ ...mine, holderLease: () => 'unknown' }))).toEqual([wake('a', 0)]);
  });

  it('is told apart from one that has held the session all along', () => {
    const old = round([{ callId: 'a' }, { callId: 'b' }]).call('a', claimOf(0));
    expect(acts(old.pending({ holderLease: () => 'unknown' }))).toEqual([wake('b', 1)]);
  });
});
