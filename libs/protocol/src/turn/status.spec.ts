import { claim, commit, deny, grant, hold, request, takeOver } from '../testing/call-world';
import { holding, openedSession, round, startTurn, step, type SessionWorld } from '../testing/session-world';
import { shownResults } from './shown-results';
import { turnStatus } from './status';

const statusOf = ({ session, calls }: SessionWorld, turnId?: string) => turnStatus(session, calls, turnId);

describe('where a turn stands', () => {
  const world = round([
    { callId: 'a' },
    { callId: 'b', verdict: 'ask' },
    { callId: 'r', verdict: 'refused', tool: null },
  ]);

  it('waits for a person where an approval of the next segment is undecided', () => {
    expect(statusOf(world)).toEqual({ status: 'waiting_for_person', openCalls: ['a', 'b'] });
    const asked = world.call('b', request({ stagedRevision: 5 }));
    expect(statusOf(asked)?.status).toBe('waiting_for_person');
    expect(statusOf(asked.call('b', grant()))).toEqual({ status: 'running', openCalls: ['a', 'b'] });
    expect(statusOf(asked.call('b', deny()))).toEqual({ status: 'running', openCalls: ['a'] });
    const later = round([{ callId: 'a' }, { callId: 'b', verdict: 'ask', segment: 1 }]);
    expect(statusOf(later)?.status).toBe('running');
  });

  it('waits for a person where a call is held', () => {
    const held = round([{ callId: 'a', effectClass: 'irreversible', onDoubt: 'hold_for_person' }])
      .call('a', claim({ stagedRevision: 4 }))
      .call('a', takeOver())
      .call('a', hold());
    expect(statusOf(held)).toEqual({ status: 'waiting_for_person', openCalls: ['a'] });
  });

  it('has ended only by the event that ends it, open calls or not', () => {
    const end = { type: 'TurnInterrupted', reason: 'r' } as const;
    const ended = world.did({ type: 'EndTurn', ...holding(world), turnId: 't1', end, openCalls: ['a', 'b'] });
    expect(statusOf(ended)).toEqual({ status: 'interrupted', openCalls: ['a', 'b'] });
  });

  it('is known of earlier turns and unknown of others', () => {
    expect(statusOf(openedSession())).toBeUndefined();
    const refused = round([{ callId: 'r', verdict: 'refused', tool: null }]);
    const done = refused.did(step(refused, [])).did(startTurn({ turnId: 't2' }));
    expect(statusOf(done, 't1')).toEqual({ status: 'completed', openCalls: [] });
    expect(statusOf(done)).toEqual({ status: 'running', openCalls: [] });
    expect(statusOf(done, 't9')).toBeUndefined();
    const busy = done.did(step(done, [{ callId: 'z' }]));
    expect(statusOf(busy, 't1')).toEqual({ status: 'completed', openCalls: [] });
    expect(statusOf(busy)).toEqual({ status: 'running', openCalls: ['z'] });
  });

  it('counts a call whose own stream is not at hand as its staged event leaves it', () => {
    expect(turnStatus(world.session, new Map())).toEqual({
      status: 'waiting_for_person',
      openCalls: ['a', 'b'],
    });
  });
});

describe('the results that the next message has to name', () => {
  const world = round([{ callId: 'a' }, { callId: 'r', verdict: 'refused', tool: null }]);

  it('are there once every call is settled, in call order', () => {
    expect(shownResults(world.session, world.calls)).toBeUndefined();
    const settled = world.call('a', claim({ stagedRevision: 4 })).call('a', commit());
    expect(shownResults(settled.session, settled.calls)?.map(({ callId }) => callId)).toEqual(['a', 'r']);
    expect(shownResults(openedSession().session, new Map())).toEqual([]);
  });
});
