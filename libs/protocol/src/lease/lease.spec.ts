import { leaseStream, type WritEvent } from '@writ/contracts';
import { accepted, ignored, rejected } from '../decision';
import { executor, heir } from '../testing/facts';
import { Journal } from '../testing/journal';
import { decideLease, type LeaseCommand } from './decide';
import { mayAct, observedLease, sightLease, stopsAtMs } from './pending';
import { evolveLease, foldLease, newLease, type LeaseState } from './state';

const renew: LeaseCommand = { type: 'Renew', instance: executor, ttlMs: 5_000 };
const end = (reason: 'gone' | 'silent' | 'released', by = heir): LeaseCommand => ({
  type: 'End',
  reason,
  by,
});

function after(...commands: readonly LeaseCommand[]): { state: LeaseState; events: WritEvent[] } {
  const journal = new Journal();
  const state = commands.reduce((before: LeaseState, command) => {
    const decision = decideLease(before, command);
    if (decision.kind !== 'accepted') throw new Error(JSON.stringify(decision));
    return journal.append(leaseStream(executor), decision.events).reduce(evolveLease, before);
  }, newLease(executor));
  return { state, events: journal.events };
}

describe('a lease', () => {
  it('is renewed by its holder until somebody ends it', () => {
    expect(after().state).toMatchObject({ status: 'never_renewed', revision: 'no_stream', lastDigest: null });
    expect(after(renew, renew).state).toMatchObject({ status: 'standing', ttlMs: 5_000, revision: 1 });
    expect(decideLease(after(renew).state, renew)).toEqual(
      accepted({ type: 'LeaseRenewed', data: { instance: executor, ttlMs: 5_000 } }),
    );
    expect(decideLease(after(renew).state, { ...renew, instance: heir })).toEqual(
      rejected('renewal_must_be_the_holders'),
    );
  });

  it('that has ended makes its holder stop (protocol 7)', () => {
    const { state } = after(renew, end('silent'));
    expect(state).toMatchObject({ status: 'ended', reason: 'silent', by: heir });
    expect(decideLease(state, renew)).toEqual(rejected('lease_has_ended'));
    expect(decideLease(state, end('gone'))).toEqual(ignored('already_ended'));
  });

  it('can be ended before it was ever renewed', () => {
    expect(after(end('gone')).state).toMatchObject({ status: 'ended', revision: 0 });
  });

  it('is released by nobody but its holder', () => {
    expect(decideLease(after(renew).state, end('released'))).toEqual(rejected('release_must_be_the_holders'));
    expect(after(renew, end('released', executor)).state).toMatchObject({
      status: 'ended',
      reason: 'released',
    });
  });

  it('is what its newest event says, since its stream is capped', () => {
    const { events, state } = after(renew, renew, renew, end('gone'));
    expect(foldLease(executor, events.slice(-1))).toEqual(state);
  });

  it('throws on a record that cannot be', () => {
    const { events } = after(renew, end('gone'));
    const [first, last] = events;
    if (first === undefined || last === undefined) throw new Error('no events');
    expect(() => foldLease(executor, [first, last, { ...first, revision: 2 }])).toThrow(
      'after the end of a lease',
    );
    expect(() => foldLease(executor, [first, first])).toThrow('out of order');
    expect(() => foldLease(heir, [first])).toThrow('another lease');
    const journal = new Journal();
    const strange = journal.append(leaseStream(executor), [
      { type: 'TurnInterrupted', data: { turnId: 't1', reason: '' } },
    ]);
    expect(() => foldLease(executor, strange)).toThrow('holds TurnInterrupted');
  });
});

describe('an observer', () => {
  const first = sightLease(undefined, 4, 1_000);

  it('knows of a lease that it sees for the first time only that it may be anything', () => {
    expect(observedLease(first, 1_000, 5_000)).toBe('unproven');
    expect(observedLease(first, 5_999, 5_000)).toBe('unproven');
    expect(observedLease(first, 6_000, 5_000)).toBe('silent');
  });

  it('counts silence from the last renewal that it has seen, by its own clock', () => {
    const renewed = sightLease(first, 5, 4_000);
    expect(observedLease(renewed, 8_999, 5_000)).toBe('live');
    expect(observedLease(renewed, 9_000, 5_000)).toBe('silent');
  });

  it('is not fooled by a renewal that it sees twice or late', () => {
    expect(sightLease(first, 4, 3_000)).toBe(first);
    expect(sightLease(first, 3, 3_000)).toBe(first);
  });
});

describe('a holder', () => {
  it('stops by itself at its time to live minus the margin, from when the acknowledged renewal was sent', () => {
    const own = { lastAckSentAtMs: 1_000, ttlMs: 5_000, marginMs: 500 };
    expect(stopsAtMs(own)).toBe(5_500);
    expect(mayAct(own, 5_499)).toBe(true);
    expect(mayAct(own, 5_500)).toBe(false);
  });
});
