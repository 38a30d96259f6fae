import type { AppendOutcome, EventToAppend } from '@writ/runtime';
import type { StoreInterceptor } from '../in-memory/interceptor';
import { InMemoryEventStore } from '../in-memory/store';
import { countingEntropy, ManualClock } from '../testing/manual-clock';
import { resolving } from './resolving';

const stream = 'session-a';
const event = (id: string): EventToAppend => ({ id, type: 'TurnStarted', data: { id }, metadata: {} });
const timedOut: AppendOutcome = { outcome: 'unknown', cause: 'store_timeout' };
const unavailable: AppendOutcome = { outcome: 'unknown', cause: 'store_unavailable' };

type AppendFault = NonNullable<StoreInterceptor['append']>;

/** Each fault acts on one try, in order; later tries go through. */
function setUp(faults: AppendFault[], intercept: StoreInterceptor = {}) {
  const calls: { expected: unknown; ids: string[] }[] = [];
  const disk = new InMemoryEventStore({
    intercept: {
      ...intercept,
      append: async (call, proceed) => {
        calls.push({ expected: call.expected, ids: call.events.map(({ id }) => id) });
        const fault = faults.shift();
        return fault === undefined ? proceed() : fault(call, proceed);
      },
    },
  });
  const clock = new ManualClock();
  const store = resolving(disk, {
    clock,
    entropy: countingEntropy(),
    appendTimeoutMs: 1_500,
    resolveMs: 8_000,
  });
  return { disk, clock, store, calls };
}

const lost: AppendFault = async () => unavailable;
const storedButLost: AppendFault = async (_, proceed) => (proceed(), timedOut);
const storedButRefused: AppendFault = async (_, proceed) => (proceed(), { outcome: 'conflict', actual: 0 });
const neverAnswered: AppendFault = () => new Promise(() => undefined);
const storedNeverAnswered: AppendFault = (_, proceed) => (proceed(), new Promise(() => undefined));

describe('the resolution of unknown appends', () => {
  it('passes on what the first try says', async () => {
    const { store, calls } = setUp([]);
    expect(await store.append(stream, 'no_stream', [event('1')])).toEqual({
      outcome: 'acknowledged',
      revision: 0,
      position: expect.any(String),
      repeated: false,
    });
    expect(calls).toHaveLength(1);
  });

  it.each([
    ['was lost', lost],
    ['was stored without an answer', storedButLost],
    ['hung before it was stored', neverAnswered],
    ['hung after it was stored', storedNeverAnswered],
  ])('repeats the same events at the same revision when a try %s', async (_, fault) => {
    const { store, disk, clock, calls } = setUp([fault]);
    const outcome = await clock.run(store.append(stream, 'no_stream', [event('1'), event('2')]));
    expect(outcome).toEqual({ outcome: 'acknowledged', revision: 1, repeated: true });
    expect(calls).toEqual([
      { expected: 'no_stream', ids: ['1', '2'] },
      { expected: 'no_stream', ids: ['1', '2'] },
    ]);
    expect(disk.log.events).toHaveLength(2);
  });

  it('gives a try no more than its own time', async () => {
    const { store, clock } = setUp([neverAnswered]);
    await clock.run(store.append(stream, 'no_stream', [event('1')]));
    expect(clock.monotonicMs()).toBeGreaterThanOrEqual(1_500);
    expect(clock.monotonicMs()).toBeLessThan(2_000);
  });

  it.each([
    ['unavailable', lost, unavailable],
    ['silent', neverAnswered, timedOut],
  ])(
    'stays unknown while the store is %s for longer than all repeats may take',
    async (_, fault, expected) => {
      const { store, clock, calls } = setUp(Array.from({ length: 1_000 }, () => fault));
      expect(await clock.run(store.append(stream, 'no_stream', [event('1')]))).toEqual(expected);
      expect(clock.monotonicMs()).toBe(8_000);
      expect(calls.length).toBeGreaterThan(4);
      expect(calls.length).toBeLessThan(30);
    },
  );

  it('finds its own events behind a conflict, on the first try as on a repeat', async () => {
    for (const faults of [[storedButRefused], [storedButLost, storedButRefused]]) {
      const { store, disk, clock } = setUp([...faults]);
      const outcome = await clock.run(store.append(stream, 'no_stream', [event('1')]));
      expect(outcome).toEqual({ outcome: 'acknowledged', revision: 0, repeated: true });
      expect(disk.log.events).toHaveLength(1);
    }
  });

  it('looks for its own events right behind the revision that it expected', async () => {
    const { store, disk, clock } = setUp([storedButRefused]);
    disk.log.append(stream, 'no_stream', [{ id: 'x', type: 'TurnStarted', data: '{}', metadata: '' }]);
    const outcome = await clock.run(store.append(stream, 0, [event('1'), event('2')]));
    expect(outcome).toEqual({ outcome: 'acknowledged', revision: 2, repeated: true });
  });

  it('finds its own events although others have appended since', async () => {
    const { store, disk, clock } = setUp([storedButRefused]);
    const append = store.append(stream, 'no_stream', [event('1')]);
    await disk.append(stream, 0, [event('2')]);
    expect(await clock.run(append)).toEqual({ outcome: 'acknowledged', revision: 0, repeated: true });
  });

  it('reports a conflict with the events of others', async () => {
    const { store, disk, clock } = setUp([lost]);
    disk.log.append(stream, 'no_stream', [{ id: 'x', type: 'TurnStarted', data: '{}', metadata: '' }]);
    expect(await clock.run(store.append(stream, 'no_stream', [event('1')]))).toEqual({
      outcome: 'conflict',
      actual: 0,
    });
  });

  it('does not take the beginning of its events for the whole', async () => {
    const { store, disk, clock } = setUp([]);
    await disk.append(stream, 'no_stream', [event('1'), event('x')]);
    expect(await clock.run(store.append(stream, 'no_stream', [event('1'), event('2')]))).toEqual({
      outcome: 'conflict',
      actual: 1,
    });
  });

  it('stays unknown when a conflict cannot be looked into', async () => {
    const reads: StoreInterceptor = {
      readStream: async () => ({ outcome: 'unavailable', cause: 'store_timeout' }),
    };
    const { store, clock } = setUp(
      Array.from({ length: 1_000 }, () => storedButRefused),
      reads,
    );
    expect(await clock.run(store.append(stream, 'no_stream', [event('1')]))).toEqual(timedOut);
  });

  it('repeats no more once it is closed', async () => {
    const { store, clock, calls } = setUp(Array.from({ length: 1_000 }, () => lost));
    const append = store.append(stream, 'no_stream', [event('1')]);
    await new Promise(setImmediate);
    await store.close();
    expect(await clock.run(append)).toEqual(unavailable);
    expect(calls.length).toBeLessThan(3);
  });

  it('never repeats what is too large', async () => {
    const { store, calls } = setUp([]);
    const large = { ...event('1'), data: { text: 'x'.repeat(2_000_000) } };
    expect(await store.append(stream, 'no_stream', [large])).toEqual({
      outcome: 'refused',
      cause: 'append_too_large',
    });
    expect(calls).toHaveLength(0);
  });
});
