import { leaseStream } from '@writ/contracts';
import { accepted, ignored, rejected } from '../decision';
import { digest, message, opened, owner } from '../testing/facts';
import { holding, openedSession, round, startedTurn, startTurn, step } from '../testing/session-world';
import type { EndTurn, TurnEnd } from './commands';
import { decideSession, type SessionDecision } from './decide';
import { turnOfKey } from './state';

const other = 'turn-orchestrator.o2#0';
const types = (decision: SessionDecision): readonly string[] =>
  decision.kind === 'accepted' ? decision.events.map(({ type }) => type) : [decision.kind];
const leaseEnded = { stream: leaseStream(owner), revision: 9 };

describe('opening a session', () => {
  it('is done once', () => {
    const command = { type: 'OpenSession', session: opened() } as const;
    expect(decideSession(undefined, command)).toEqual(accepted({ type: 'SessionOpened', data: opened() }));
    expect(openedSession().asked(command)).toEqual(ignored('already_open'));
    expect(decideSession(undefined, startTurn())).toEqual(rejected('session_must_be_open'));
  });
});

describe('starting a turn', () => {
  it('takes the session in the same append', () => {
    const world = openedSession();
    expect(types(world.asked(startTurn()))).toEqual(['SessionLeaseAcquired', 'TurnStarted']);
    expect(world.did(startTurn()).session).toMatchObject({
      lease: { instance: owner, epoch: 1, why: 'turn_started' },
      turn: { turnId: 't1', status: 'open', steps: 0 },
    });
  });

  it('is refused while a turn is open or a call of an ended one is not settled (R3)', () => {
    expect(startedTurn().asked(startTurn({ turnId: 't2' }))).toEqual(rejected('turn_in_progress'));
    const world = round([{ callId: 'a' }]);
    const end = { type: 'TurnFailed', code: 'model_failed', message: 'm' } as const;
    const ended = world.did({ type: 'EndTurn', ...holding(world), turnId: 't1', end, openCalls: ['a'] });
    expect(ended.asked(startTurn({ turnId: 't2', openCalls: ['a'] }))).toEqual(
      rejected('earlier_calls_open'),
    );
  });

  it('goes on under the lease that the owner still holds, and not under that of another', () => {
    const world = round([{ callId: 'a' }]);
    const end = { type: 'TurnFailed', code: 'model_failed', message: 'm' } as const;
    const kept = world.did({ type: 'EndTurn', ...holding(world), turnId: 't1', end, openCalls: ['a'] });
    expect(types(kept.asked(startTurn({ turnId: 't2' })))).toEqual(['TurnStarted']);
    expect(kept.asked(startTurn({ turnId: 't2', instance: other }))).toEqual(
      rejected('lease_must_be_current'),
    );
  });

  it('with a key that was used is the same turn, or a reuse', () => {
    const world = openedSession().did(startTurn({ idempotencyKey: 'k' }));
    expect(world.asked(startTurn({ idempotencyKey: 'k', turnId: 't2' }))).toEqual(ignored('turn_exists'));
    expect(turnOfKey(world.session, 'k')?.turnId).toBe('t1');
    expect(turnOfKey(world.session, 'other')).toBeUndefined();
    const reuse = startTurn({ idempotencyKey: 'k', requestDigest: digest('9') });
    expect(world.asked(reuse)).toEqual(rejected('idempotency_key_reused'));
  });
});

describe('taking a session over', () => {
  it('supersedes the epoch of a holder whose lease has ended (A5)', () => {
    const world = startedTurn();
    const taken = world.did({ type: 'AcquireLease', instance: other, leaseEnded });
    expect(taken.session.lease).toMatchObject({ instance: other, epoch: 3, why: 'takeover' });
    expect(taken.journal.events.at(-1)?.data).toMatchObject({ supersedes: { epoch: 1, leaseEnded } });
  });

  it('names the end of that very lease', () => {
    const world = startedTurn();
    expect(world.asked({ type: 'AcquireLease', instance: other })).toEqual(rejected('lease_must_have_ended'));
    const wrong = { ...leaseEnded, stream: leaseStream(other) };
    expect(world.asked({ type: 'AcquireLease', instance: other, leaseEnded: wrong })).toEqual(
      rejected('lease_must_have_ended'),
    );
  });

  it('needs no such end after a release, and is nothing to its own holder', () => {
    const world = startedTurn();
    const released = world.did({ type: 'ReleaseLease', ...holding(world), why: 'shutdown' });
    expect(released.session.lease).toBeNull();
    expect(released.did({ type: 'AcquireLease', instance: other }).session.lease).toMatchObject({
      why: 'takeover',
      epoch: 4,
    });
    expect(world.asked({ type: 'AcquireLease', instance: owner })).toEqual(ignored('already_mine'));
    expect(released.asked({ type: 'ReleaseLease', ...holding(world), why: 'shutdown' })).toEqual(
      ignored('not_mine'),
    );
  });
});

describe('a superseded owner (I7, R10)', () => {
  const world = round([{ callId: 'a' }]);
  const before = holding(world);
  const taken = world.did({ type: 'AcquireLease', instance: other, leaseEnded });

  it.each([
    ['stages nothing', { ...step(world, [{ callId: 'b' }]), ...before }],
    ['abandons nothing', { type: 'AbandonCalls', ...before, callIds: ['a'], why: 'unclaimed' }],
    [
      'ends nothing',
      {
        type: 'EndTurn',
        ...before,
        turnId: 't1',
        openCalls: [],
        end: { type: 'TurnInterrupted', reason: 'r' },
      },
    ],
    [
      'compacts nothing',
      { type: 'CompactContext', ...before, openCalls: [], summary: 's', throughRevision: 2 },
    ],
  ] as const)('%s', (_, command) => {
    expect(taken.asked(command as Parameters<typeof taken.asked>[0])).toEqual(
      rejected('lease_must_be_current'),
    );
  });

  it('is told apart from its successor by the epoch, were it the same instance', () => {
    expect(
      world.asked({ type: 'AbandonCalls', instance: owner, epoch: 99, callIds: ['a'], why: 'unclaimed' }),
    ).toEqual(rejected('lease_must_be_current'));
  });
});

describe('abandoning calls', () => {
  const world = round([{ callId: 'a' }, { callId: 'b' }, { callId: 'r', verdict: 'refused', tool: null }]);
  const abandon = (callIds: readonly string[]) =>
    ({ type: 'AbandonCalls', ...holding(world), callIds, why: 'unclaimed' }) as const;

  it('puts on record which and why, each once', () => {
    const first = world.did(abandon(['a']));
    expect([...first.session.abandoned]).toEqual([['a', 'unclaimed']]);
    expect(first.asked(abandon(['a']))).toEqual(ignored('already_abandoned'));
    expect(first.asked(abandon(['a', 'b']))).toMatchObject({
      events: [{ data: { callIds: ['b'], turnId: 't1' } }],
    });
  });

  it('is for calls of the newest step that were not refused', () => {
    for (const callIds of [[], ['x'], ['r'], ['a', 'r']])
      expect(world.asked(abandon(callIds))).toEqual(rejected('calls_must_be_open'));
  });

  it('is possible after the end of their turn', () => {
    const end = { type: 'TurnFailed', code: 'model_failed', message: 'm' } as const;
    const ended = world.did({ type: 'EndTurn', ...holding(world), turnId: 't1', end, openCalls: ['a', 'b'] });
    expect(ended.asked({ ...abandon(['a']), why: 'turn_failed' }).kind).toBe('accepted');
  });
});

describe('the end of a turn', () => {
  const world = round([{ callId: 'a' }]);
  const ends: { readonly [T in TurnEnd['type']]: TurnEnd & { readonly type: T } } = {
    TurnFailed: {
      type: 'TurnFailed',
      code: 'session_persistence_failed',
      cause: 'store_timeout',
      message: 'm',
    },
    TurnInterrupted: { type: 'TurnInterrupted', reason: 'r' },
    TurnCompleted: { type: 'TurnCompleted', finalText: 'x' },
  };
  const end = (openCalls: readonly string[], type: TurnEnd['type'] = 'TurnFailed'): EndTurn => ({
    type: 'EndTurn',
    ...holding(world),
    turnId: 't1',
    openCalls,
    end: ends[type],
  });

  it('keeps the lease while a call is open, and gives it back in the same append where none is', () => {
    expect(types(world.asked(end(['a'])))).toEqual(['TurnFailed']);
    expect(types(world.asked(end([])))).toEqual(['TurnFailed', 'SessionLeaseReleased']);
    expect(world.did(end([])).session).toMatchObject({
      lease: null,
      turn: {
        status: 'failed',
        failure: { code: 'session_persistence_failed', cause: 'store_timeout', message: 'm' },
      },
    });
    expect(world.did(end([], 'TurnInterrupted')).session.turn).toMatchObject({
      status: 'interrupted',
      reason: 'r',
    });
  });

  it('is told once', () => {
    expect(world.did(end(['a'])).asked(end([]))).toEqual(ignored('already_ended'));
    expect(world.asked({ ...end([]), turnId: 't9' })).toEqual(rejected('turn_must_be_open'));
  });

  it('completes a turn whose last reply asked for nothing, should its record have stopped there', () => {
    const stopped = startedTurn().holds({
      type: 'AssistantMessageRecorded',
      data: message(1, { text: 'x' }),
    });
    const complete = { ...end([], 'TurnCompleted'), ...holding(stopped) };
    expect(stopped.did(complete).session).toMatchObject({
      lease: null,
      turn: { status: 'completed', finalText: 'x' },
    });
    expect(stopped.asked({ ...complete, openCalls: ['a'] })).toEqual(rejected('calls_must_be_settled'));
    expect(startedTurn().asked(complete)).toEqual(rejected('calls_must_be_settled'));
  });

  it('is no completion while calls are open or results are unsaid', () => {
    expect(world.asked(end(['a'], 'TurnCompleted'))).toEqual(rejected('calls_must_be_settled'));
    expect(world.asked(end([], 'TurnCompleted'))).toEqual(rejected('calls_must_be_settled'));
  });
});
