import { commit, deny, grant, hold, orderRerun, request, takeOver } from '../testing/call-world';
import { message, owner } from '../testing/facts';
import { after } from '../testing/journal';
import { acts, lookAgainMs, openedSession, ownerFacts, round, startedTurn } from '../testing/session-world';
import { claimOf, failed, inherited, other, running, wake } from '../testing/turn-work';
import { pendingTurn } from './pending';
import type { TurnWork } from './work';

describe('an owner', () => {
  it('has nothing to do in a session that it does not hold', () => {
    expect(startedTurn().pending({ instance: other })).toEqual([]);
    expect(openedSession().pending()).toEqual([]);
  });

  it('gives back a session in which nothing was ever asked', () => {
    const idle = openedSession().did({ type: 'AcquireLease', instance: owner });
    expect(idle.pending()).toEqual([{ do: 'release', why: 'calls_settled' }]);
  });

  it('asks the model where the turn has no step yet, and again once every result is committed (R4)', () => {
    expect(acts(startedTurn().pending())).toEqual([{ do: 'ask_model', step: 1 }]);
    expect(acts(running().pending())).toEqual([]);
    expect(acts(running().call('a', commit()).pending())).toEqual([{ do: 'ask_model', step: 2 }]);
  });

  it('completes a turn whose last reply asked for nothing, should its record have stopped there', () => {
    const stopped = startedTurn().holds({
      type: 'AssistantMessageRecorded',
      data: message(1, { text: 'x' }),
    });
    const end = { type: 'TurnCompleted', finalText: 'x' };
    expect(stopped.pending()).toEqual([{ do: 'end_turn', turnId: 't1', end }]);
  });

  it('asks at once where every call of a reply was refused (R5)', () => {
    const refused = round([{ callId: 'r', verdict: 'refused', tool: null }]);
    expect(acts(refused.pending())).toEqual([{ do: 'ask_model', step: 2 }]);
  });

  it('wakes an executor for each ready call, the same words at first and after a restart (K2)', () => {
    const world = round([{ callId: 'a' }, { callId: 'b' }]);
    expect(acts(world.pending())).toEqual([wake('a', 0), wake('b', 1)]);
    expect(acts(inherited(world).pending({ instance: other }))).toEqual([wake('a', 0), wake('b', 1)]);
    expect(acts(world.call('a', claimOf(0)).pending())).toEqual([wake('b', 1)]);
  });

  it('throws where it does not know the state of a call', () => {
    const { session, nowMs } = round([{ callId: 'a' }]);
    expect(() => pendingTurn(session, new Map(), ownerFacts(nowMs))).toThrow('is missing');
  });

  it('releases a session whose turn has ended once its last call is settled', () => {
    const ended = failed(running(), ['a']);
    expect(acts(ended.pending())).toEqual([]);
    expect(ended.call('a', commit()).pending()).toEqual([{ do: 'release', why: 'calls_settled' }]);
  });
});

describe('segments (R12)', () => {
  const world = round([
    { callId: 'a', segment: 0 },
    { callId: 'b', segment: 1 },
    { callId: 'c', segment: 1, verdict: 'ask' },
  ]);

  it('start only after every result of the segment before', () => {
    expect(acts(world.pending())).toEqual([wake('a', 0)]);
    const ran = world.call('a', claimOf(0));
    expect(acts(ran.pending())).toEqual([]);
    expect(acts(ran.call('a', commit()).pending())).toEqual([
      wake('b', 1),
      { do: 'wake_approvals', callId: 'c', stagedRevision: 6 },
    ]);
  });
});

describe('a person', () => {
  const world = round([{ callId: 'a', verdict: 'ask' }]);
  const asked = world.call('a', request({ stagedRevision: 4, deadline: after(10_000) }));

  it('is asked once, and then waited for', () => {
    expect(acts(world.pending())).toEqual([{ do: 'wake_approvals', callId: 'a', stagedRevision: 4 }]);
    expect(acts(asked.pending())).toEqual([]);
    expect(acts(asked.call('a', grant()).pending())).toEqual([wake('a', 0)]);
    expect(acts(asked.call('a', deny()).pending())).toEqual([{ do: 'ask_model', step: 2 }]);
  });

  it('who misses the deadline makes the approval-service act', () => {
    expect(acts(asked.later(10_000).pending())).toEqual([]);
    expect(acts(asked.later(10_001).pending())).toEqual([
      { do: 'wake_approvals', callId: 'a', stagedRevision: 4 },
    ]);
  });

  it('keeps the turn open over a held call until the hold ends', () => {
    const held = round([{ callId: 'a', effectClass: 'irreversible', onDoubt: 'hold_for_person' }])
      .call('a', claimOf(0))
      .call('a', takeOver())
      .call('a', hold({ deadline: after(3_600_000) }));
    expect(acts(held.pending())).toEqual([]);
    expect(acts(held.later(3_000_000).pending())).toEqual([]);
    const expired = held.later(3_600_000);
    expect(acts(expired.pending())).toEqual([{ do: 'abandon', callIds: ['a'], why: 'hold_expired' }]);
    expect(acts(held.call('a', orderRerun).pending())).toEqual([wake('a', 0)]);
  });
});

describe('the reminder to look again', () => {
  it('comes with everything but an end, no later than the longest wait', () => {
    expect(lookAgainMs(startedTurn().pending())).toBe(5_000);
    expect(lookAgainMs(startedTurn().later(1_799_000).pending())).toBe(1_000);
  });

  const asked = round([{ callId: 'a', verdict: 'ask' }]).call(
    'a',
    request({ stagedRevision: 4, deadline: after(2_000) }),
  );
  const lost = {
    holderLease: () => 'ended' as const,
    unclaimedForMs: () => 59_000,
    endedForMs: () => 59_000,
  };

  it.each<[string, TurnWork[], number]>([
    ['a result is due', running().pending({ runningForMs: () => 62_000 }), 3_000],
    [
      'a pool counts as lost',
      round([{ callId: 'a' }])
        .later(59_000)
        .pending({ unclaimedForMs: () => 58_000 }),
      2_000,
    ],
    ["an orphan is the owner's", running().pending(lost), 1_000],
    ['the round is over', round([{ callId: 'a' }], { roundTimeMs: 4_000 }).pending(), 4_000],
    ['an approval expires', asked.pending(), 2_001],
  ])('comes when %s', (_, work, ms) => {
    expect(lookAgainMs(work)).toBe(ms);
  });
});
