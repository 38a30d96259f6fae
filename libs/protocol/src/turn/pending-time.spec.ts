import { claim, commit, grant, hold, orderRerun, request, takeOver } from '../testing/call-world';
import { after } from '../testing/journal';
import { acts, round, startedTurn } from '../testing/session-world';
import { abandon, claimOf, running, wake } from '../testing/turn-work';

describe('the deadline of a round (R8)', () => {
  const calls = [
    { callId: 'a' },
    { callId: 'b', segment: 1 },
    { callId: 'c', segment: 2, verdict: 'ask' as const },
  ];
  const world = round(calls, { roundTimeMs: 20_000 }).call('a', claimOf(0, after(300_000)));

  it('cancels what runs and abandons what has not started', () => {
    expect(acts(world.later(19_999).pending())).toEqual([]);
    const over = world.later(20_000);
    expect(acts(over.pending())).toEqual([
      { do: 'abandon', callIds: ['b', 'c'], why: 'round_deadline' },
      { do: 'cancel', callId: 'a', reason: 'round_deadline' },
    ]);
  });

  it('cancels until the call is settled, and then the turn goes on', () => {
    const over = round([{ callId: 'a' }], { roundTimeMs: 20_000 })
      .call('a', claimOf(0, after(300_000)))
      .later(30_000);
    expect(acts(over.pending())).toEqual([{ do: 'cancel', callId: 'a', reason: 'round_deadline' }]);
    const settled = over.call('a', commit({ outcome: 'timed_out', effect: 'unknown' }));
    expect(acts(settled.pending())).toEqual([{ do: 'ask_model', step: 2 }]);
  });

  it('cancels a call that is being reconciled as well, and not a holder that is gone', () => {
    const over = world.call('a', takeOver()).later(20_000);
    expect(acts(over.pending())).toContainEqual({ do: 'cancel', callId: 'a', reason: 'round_deadline' });
    expect(acts(over.pending({ holderLease: () => 'ended' }))).not.toContainEqual(
      expect.objectContaining({ do: 'cancel' }),
    );
  });

  it('does not count the time in which a person was waited for', () => {
    const asking = round([{ callId: 'a', verdict: 'ask' }], { roundTimeMs: 20_000 })
      .later(5_000)
      .call('a', request({ stagedRevision: 4, deadline: after(900_000) }))
      .later(300_000);
    expect(acts(asking.pending())).toEqual([]);
    const granted = asking.call('a', grant());
    expect(acts(granted.later(14_999).pending())).toEqual([wake('a', 0)]);
    expect(acts(granted.later(15_000).pending())).toEqual([
      { do: 'abandon', callIds: ['a'], why: 'round_deadline' },
    ]);
  });
});

describe('the time of a turn', () => {
  it('ends a turn between rounds as budget_exhausted', () => {
    const world = running().call('a', commit()).later(1_800_000);
    expect(world.pending()).toMatchObject([
      { do: 'end_turn', end: { type: 'TurnFailed', code: 'budget_exhausted' } },
    ]);
    expect(startedTurn().later(1_800_000).pending()).toMatchObject([
      { do: 'end_turn', end: { code: 'budget_exhausted' } },
    ]);
  });

  it('abandons what waits, cancels what runs, and ends the turn once all is settled', () => {
    const world = round([{ callId: 'a' }, { callId: 'b' }, { callId: 'c', verdict: 'ask' }], {
      wallTimeMs: 20_000,
    })
      .call('a', claimOf(0, after(300_000)))
      .call('c', request({ stagedRevision: 6 }))
      .later(20_000);
    expect(acts(world.pending())).toEqual([
      { do: 'abandon', callIds: ['b', 'c'], why: 'wall_time' },
      { do: 'cancel', callId: 'a', reason: 'round_deadline' },
    ]);
  });

  it('waits for a held call all the same, but runs nothing any more', () => {
    const held = round([{ callId: 'a', effectClass: 'irreversible', onDoubt: 'hold_for_person' }], {
      wallTimeMs: 20_000,
    })
      .call('a', claimOf(0))
      .call('a', takeOver())
      .call('a', hold({ deadline: after(900_000) }))
      .later(30_000);
    expect(acts(held.pending())).toEqual([]);
    const ordered = abandon(held.call('a', orderRerun), 'a', 'interrupted');
    expect(acts(held.call('a', orderRerun).pending())).toEqual([
      { do: 'abandon', callIds: ['a'], why: 'wall_time' },
    ]);
    expect(acts(ordered.pending())).toEqual([
      { do: 'settle_abandoned', callId: 'a', outcome: 'unknown', why: 'interrupted' },
    ]);
  });

  it('and the number of its steps are budgets', () => {
    const world = round([{ callId: 'r', verdict: 'refused', tool: null }], { steps: 1 });
    expect(world.pending()).toMatchObject([
      { do: 'end_turn', end: { type: 'TurnFailed', code: 'budget_exhausted' } },
    ]);
  });
});

describe('an interrupt', () => {
  const interrupted = { interruptRequested: true };

  it('ends a turn between rounds at once', () => {
    const end = {
      do: 'end_turn',
      turnId: 't1',
      end: { type: 'TurnInterrupted', reason: 'interrupt_requested' },
    };
    expect(startedTurn().pending(interrupted)).toEqual([end]);
    expect(running().call('a', commit()).pending(interrupted)).toEqual([end]);
  });

  it('first settles the round: skips, cancels, and lets go of what is held', () => {
    const world = round([
      { callId: 'a' },
      { callId: 'b' },
      { callId: 'c', effectClass: 'irreversible', onDoubt: 'hold_for_person' },
    ])
      .call('a', claimOf(0))
      .call('c', claim({ stagedRevision: 6 }))
      .call('c', takeOver())
      .call('c', hold());
    expect(acts(world.pending(interrupted))).toEqual([
      { do: 'abandon', callIds: ['b', 'c'], why: 'interrupted' },
      { do: 'cancel', callId: 'a', reason: 'interrupt' },
    ]);
    expect(acts(abandon(world, 'c', 'interrupted').pending())).toContainEqual({
      do: 'settle_abandoned',
      callId: 'c',
      outcome: 'unknown',
      why: 'interrupted',
    });
  });
});
