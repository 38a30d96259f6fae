import { sessionStream, type NewEvent, type WritEvent } from '@writ/contracts';
import { message, opened, owner, result, sessionId, staged, turn } from '../testing/facts';
import { Journal } from '../testing/journal';
import {
  openedSession,
  round,
  startedTurn,
  startTurn,
  step,
  type SessionWorld,
} from '../testing/session-world';
import { evolveSession, foldSession } from './evolve';

const stream = sessionStream(sessionId);
const other = 'turn-orchestrator.o2#0';
const world = round([{ callId: 'a' }, { callId: 'r', verdict: 'refused', tool: null }]);

/** What following one more event of the record would throw. */
function after(
  before: SessionWorld,
  event: NewEvent,
  actor?: { instance?: string; epoch?: number },
): () => unknown {
  const [next] = before.journal.fork().append(stream, [event], {
    actor: { service: 'turn-orchestrator', instance: owner, ...actor },
  });
  if (next === undefined) throw new Error('nothing appended');
  return () => evolveSession(before.session, next);
}

describe('the state of a session', () => {
  it('is the same whether it is folded at once or followed event by event', () => {
    const events = world.journal.of(stream);
    expect(foldSession(events)).toEqual(world.session);
    const followed = events.reduce<Parameters<typeof evolveSession>[0]>(evolveSession, undefined);
    expect(followed).toEqual(world.session);
  });

  it('is a value: following an event leaves the state before it alone', () => {
    const before = world.session;
    const copy = structuredClone({
      turns: [...before.turns],
      calls: [...before.calls.keys()],
      abandoned: [...before.abandoned],
    });
    world.did({ type: 'AbandonCalls', instance: owner, epoch: 1, callIds: ['a'], why: 'unclaimed' });
    expect({
      turns: [...before.turns],
      calls: [...before.calls.keys()],
      abandoned: [...before.abandoned],
    }).toEqual(copy);
  });

  it('remembers every turn with what started and what ended it', () => {
    const settled = round([{ callId: 'r', verdict: 'refused', tool: null }]);
    const done = settled.did(step(settled, [], { text: 'Done.' }));
    expect(done.session.turns.get('t1')).toMatchObject({
      status: 'completed',
      finalText: 'Done.',
      steps: 2,
      input: turn().input,
    });
    expect(done.session).toMatchObject({ replies: 2, lease: null });
  });

  it('knows a turn by the key of its request, where it has one', () => {
    expect(openedSession().did(startTurn({ idempotencyKey: 'k' })).session.turn).toMatchObject({
      idempotencyKey: 'k',
    });
    expect(startedTurn().session.turn).not.toHaveProperty('idempotencyKey');
  });

  it('folds a long session in time that grows with its length alone', () => {
    const journal = new Journal();
    const drafts: NewEvent[] = [
      { type: 'SessionOpened', data: opened() },
      { type: 'SessionLeaseAcquired', data: { sessionId, instance: owner, why: 'turn_started' } },
      { type: 'TurnStarted', data: turn() },
    ];
    for (let number = 1; number <= 600; number += 1) {
      drafts.push({ type: 'AssistantMessageRecorded', data: message(number) });
      drafts.push({ type: 'ToolCallStaged', data: staged(`c${number}`, { step: number }) });
    }
    const events = journal.append(stream, drafts);
    expect(foldSession(events).calls.size).toBe(600);
  });
});

describe('a record that cannot be', () => {
  it('throws: a session that does not begin with its opening at revision 0', () => {
    const events = world.journal.of(stream);
    expect(() => foldSession([])).toThrow('without events');
    expect(() => foldSession(events.slice(1))).toThrow('begins with SessionLeaseAcquired');
    const [first] = events;
    if (first === undefined) throw new Error('no event');
    expect(() => foldSession([{ ...first, revision: 1 }])).toThrow('does not begin at revision 0');
    expect(() => foldSession([{ ...first, stream: 'session-s2' }])).toThrow('another session');
    const metadata = { ...first.metadata, predecessor: first.metadata.digest };
    expect(() => foldSession([{ ...first, metadata }])).toThrow('names a predecessor');
  });

  it('throws: a gap, another stream, a broken chain', () => {
    const events = world.journal.of(stream);
    expect(() => foldSession([...events.slice(0, 2), ...events.slice(3)])).toThrow('revision 3 after 1');
    const edited = events.map((event, index): WritEvent =>
      index === 2 ? { ...event, metadata: { ...event.metadata, predecessor: null } } : event,
    );
    expect(() => foldSession(edited)).toThrow('another predecessor');
    const moved = events.map((event, index): WritEvent =>
      index === 2 ? { ...event, stream: 'session-s2' } : event,
    );
    expect(() => foldSession(moved)).toThrow('another session');
  });

  it('throws: writing without holding the session (A5, I7)', () => {
    const abandoned: NewEvent = {
      type: 'CallsAbandoned',
      data: { turnId: 't1', callIds: ['a'], why: 'unclaimed' },
    };
    expect(after(world, abandoned)).not.toThrow();
    expect(after(world, abandoned, { instance: other })).toThrow('by another than the holder');
    expect(after(world, abandoned, { epoch: 0 })).toThrow('under another epoch');
    const released = world.did({ type: 'ReleaseLease', instance: owner, epoch: 1, why: 'shutdown' });
    expect(after(released, abandoned)).toThrow('while nobody holds the session');
  });

  it('throws: a lease that supersedes another epoch than the current one', () => {
    const acquired = (epoch?: number): NewEvent => ({
      type: 'SessionLeaseAcquired',
      data: {
        sessionId,
        instance: other,
        why: 'takeover',
        ...(epoch !== undefined && { supersedes: { epoch } }),
      },
    });
    expect(after(world, acquired(1), { instance: other })).not.toThrow();
    expect(after(world, acquired(0), { instance: other })).toThrow('supersedes another epoch');
    expect(after(world, acquired(), { instance: other })).toThrow('supersedes another epoch');
  });

  it.each<[string, NewEvent, string]>([
    ['a turn inside another', { type: 'TurnStarted', data: turn({ turnId: 't2' }) }, 'inside another'],
    [
      'a call of another session',
      { type: 'ToolCallStaged', data: staged('z', { index: 2, sessionId: 's9' }) },
      'another session',
    ],
    ['a step out of order', { type: 'AssistantMessageRecorded', data: message(3) }, 'a step out of order'],
    [
      'a call that was staged before',
      { type: 'ToolCallStaged', data: staged('a', { index: 2 }) },
      'staged twice',
    ],
    ['a call out of order', { type: 'ToolCallStaged', data: staged('z', { index: 5 }) }, 'out of order'],
    [
      'a call of another step',
      { type: 'ToolCallStaged', data: staged('z', { step: 2, index: 2 }) },
      'outside its step',
    ],
    [
      'the result of a call that may run',
      { type: 'ToolResultCommitted', data: result('a') },
      'was not refused',
    ],
    ['a second result', { type: 'ToolResultCommitted', data: result('r') }, 'refused twice'],
    [
      'an abandoned stranger',
      { type: 'CallsAbandoned', data: { turnId: 't1', callIds: ['z'], why: 'unclaimed' } },
      'was not staged',
    ],
    [
      'the end of another turn',
      { type: 'TurnInterrupted', data: { turnId: 't9', reason: '' } },
      'outside its turn',
    ],
    [
      'an event of a call',
      { type: 'LateDecisionRecorded', data: { callId: 'a', by: 'x', decidedAt: 'x', answer: 'x' } },
      'holds LateDecisionRecorded',
    ],
  ])('throws: %s', (_, event, problem) => {
    expect(after(world, event)).toThrow(problem);
  });

  it('throws: a turn that starts a second time', () => {
    const done = startedTurn().did(step(startedTurn(), []));
    const held = done.did({ type: 'AcquireLease', instance: owner });
    expect(after(held, { type: 'TurnStarted', data: turn({ turnId: 't2' }) })).not.toThrow();
    expect(after(held, { type: 'TurnStarted', data: turn() })).toThrow('started twice');
  });
});
