import type { AppendOutcome } from '@writ/runtime';
import type { Fault } from '../store-under-test';
import {
  acknowledged,
  eventually,
  follow,
  given,
  idsIn,
  idsOf,
  newEvents,
  newPrefix,
  newStream,
  type Scene,
} from '../scene';

/** Milliseconds of one try, where the case waits for its end and where nobody should; and of all tries. */
const TRY_MS = 700;
const LONG_TRY_MS = 15_000;
const RESOLVE_MS = 30_000;

interface FaultyAppend {
  readonly name: string;
  readonly do: Fault['do'];
  readonly ms?: number;
  readonly tryMs: number;
  /** What one try of the append comes to, and whether it is stored. */
  readonly once: AppendOutcome;
  readonly isStored: boolean;
}

const timedOut: AppendOutcome = { outcome: 'unknown', cause: 'store_timeout' };
const unavailable: AppendOutcome = { outcome: 'unknown', cause: 'store_unavailable' };

const faultyAppends: FaultyAppend[] = [
  { name: 'hold', tryMs: TRY_MS, do: 'hold', once: timedOut, isStored: false },
  { name: 'a long delay', tryMs: TRY_MS, do: 'delay', ms: 2 * TRY_MS, once: timedOut, isStored: true },
  { name: 'a short delay', tryMs: LONG_TRY_MS, do: 'delay', ms: 50, once: acknowledged(0), isStored: true },
  {
    name: 'fail_unavailable',
    tryMs: LONG_TRY_MS,
    do: 'fail_unavailable',
    once: unavailable,
    isStored: false,
  },
  { name: 'store_then_drop_ack', tryMs: TRY_MS, do: 'store_then_drop_ack', once: timedOut, isStored: true },
  {
    name: 'store_then_wrong_version',
    tryMs: LONG_TRY_MS,
    do: 'store_then_wrong_version',
    once: acknowledged(0, true),
    isStored: true,
  },
  { name: 'disconnect', tryMs: LONG_TRY_MS, do: 'disconnect', once: unavailable, isStored: false },
];

export function faultCases(scene: Scene): void {
  const arm = async (fault: Fault): Promise<void> => {
    if (scene.under.arm === undefined) throw new Error('this store has no faults');
    await scene.under.arm(fault);
  };
  const heal = async (): Promise<void> => scene.under.heal?.();
  afterEach(heal);

  const single = (appendTimeoutMs = TRY_MS) => scene.connect({ appendTimeoutMs, resolveMs: 0 });
  const resolved = (appendTimeoutMs = TRY_MS) => scene.connect({ appendTimeoutMs, resolveMs: RESOLVE_MS });
  const append = (fault: Omit<Fault, 'on'>): Promise<void> => arm({ on: 'append', ...fault });

  it.each(faultyAppends)(
    '[protocol 5, A4] one try under $name is $once.outcome, never anything else',
    async ({ once, isStored, do: what, ms, tryMs }) => {
      const [stream, events] = [newStream(), newEvents(1)];
      await append({ stream, do: what, ...(ms === undefined ? {} : { ms }) });
      expect(await single(tryMs).append(stream, 'no_stream', events)).toMatchObject(once);
      expect(await idsIn(scene.store, stream)).toEqual(isStored ? idsOf(events) : []);
    },
  );

  it.each(faultyAppends)(
    '[protocol 5, F27 a] an append under $name once is repeated until it is known, and stored once',
    async ({ do: what, ms, once, tryMs }) => {
      const [stream, events] = [newStream(), newEvents(2)];
      await append({ stream, do: what, times: 1, ...(ms === undefined ? {} : { ms }) });
      const outcome = await resolved(tryMs).append(stream, 'no_stream', events);
      const isFirst = once.outcome === 'acknowledged' && !once.repeated;
      expect(outcome).toMatchObject(acknowledged(1, !isFirst));
      expect(await idsIn(scene.store, stream)).toEqual(idsOf(events));
    },
  );

  it('[protocol 5, F27] resolves a lost answer after a conflict with its own write', async () => {
    const [stream, events] = [newStream(), newEvents(2)];
    await append({ stream, do: 'store_then_drop_ack', times: 1 });
    await append({ stream, do: 'store_then_wrong_version', times: 2 });
    expect(await resolved().append(stream, 'no_stream', events)).toMatchObject(acknowledged(1, true));
    expect(await idsIn(scene.store, stream)).toEqual(idsOf(events));
  });

  it('[protocol 5] believes a conflict with the events of others', async () => {
    const stream = newStream();
    await given(scene.store, stream, newEvents(1));
    await append({ stream, do: 'store_then_wrong_version', times: 1 });
    await scene.store.append(stream, 0, newEvents(1));
    expect(await resolved().append(stream, 0, newEvents(1))).toEqual({ outcome: 'conflict', actual: 1 });
  });

  it('[protocol 5] stays unknown while every try is', async () => {
    const stream = newStream();
    await append({ stream, do: 'fail_unavailable' });
    const client = scene.connect({ appendTimeoutMs: LONG_TRY_MS, resolveMs: TRY_MS });
    expect(await client.append(stream, 'no_stream', newEvents(1))).toEqual(unavailable);
    expect(await idsIn(scene.store, stream)).toEqual([]);
  });

  it('[protocol 5, F27 b] finds its own event before it goes on after an unknown append', async () => {
    const [stream, events] = [newStream(), newEvents(1)];
    await given(scene.store, stream, newEvents(5));
    await append({ stream, do: 'store_then_drop_ack' });
    expect(await single().append(stream, 4, events)).toEqual(timedOut);
    const read = await scene.store.readStream(stream, { direction: 'backwards', from: 'end', maxCount: 1 });
    expect(read).toMatchObject({ events: [{ id: events[0]?.id, revision: 5 }] });
  });

  it('[A6.1] lets one held append hold up nobody else of the same client', async () => {
    const [held, free] = [newStream(), newStream()];
    await append({ stream: held, do: 'hold' });
    const client = single(3_000);
    const waiting = client.append(held, 'no_stream', newEvents(1));
    for (let revision = -1; revision < 20; revision += 1)
      expect(await client.append(free, revision < 0 ? 'no_stream' : revision, newEvents(1))).toMatchObject(
        acknowledged(revision + 1),
      );
    expect(await waiting).toEqual(timedOut);
  });

  it('[A6.1] goes on appending after a hundred appends without an answer', async () => {
    const stream = newStream();
    await append({ stream, do: 'store_then_drop_ack' });
    const client = single(3_000);
    const outcomes = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        client.append(`${stream}-${index}`, 'no_stream', newEvents(1)),
      ),
    );
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(Array(100).fill('unknown'));
    expect(await client.append(newStream(), 'no_stream', newEvents(1))).toMatchObject(acknowledged(0));
  });

  it('[A6.1] stores appends of many writers once while connections break', async () => {
    const prefix = newPrefix();
    await append({ stream: prefix, do: 'disconnect', times: 5 });
    const client = resolved();
    const streams = Array.from({ length: 20 }, (_, index) => `${prefix}${index}`);
    await Promise.all(
      streams.map(async (stream) => {
        const written: string[] = [];
        for (let count = 0; count < 10; count += 1) {
          const events = newEvents(1);
          const outcome = await client.append(stream, count === 0 ? 'no_stream' : count - 1, events);
          expect(outcome).toMatchObject({ outcome: 'acknowledged', revision: count });
          written.push(...idsOf(events));
        }
        expect(await idsIn(client, stream)).toEqual(written);
      }),
    );
  });

  it('[protocol 5] caps a stream although the first answer is lost', async () => {
    const stream = newStream('lease-');
    await append({ stream: `$$${stream}`, do: 'store_then_drop_ack', times: 1 });
    expect(await resolved().capStream(stream, 2)).toMatchObject({ outcome: 'acknowledged', repeated: true });
    await given(scene.store, stream, newEvents(4));
    expect(await idsIn(scene.store, stream)).toHaveLength(2);
  });

  it.each([
    ['hold', 'store_timeout'],
    ['fail_unavailable', 'store_unavailable'],
    ['disconnect', 'store_unavailable'],
  ] as const)('[A6.3] says that a stream cannot be read under %s, within its time', async (what, cause) => {
    const stream = newStream();
    await given(scene.store, stream, newEvents(1));
    await arm({ on: 'read', stream, do: what, times: 1 });
    const client = single(what === 'hold' ? TRY_MS : LONG_TRY_MS);
    const read = () => client.readStream(stream, { direction: 'forwards', from: 'start', maxCount: 1 });
    expect(await read()).toEqual({ outcome: 'unavailable', cause });
    await eventually(async () => (await read()).outcome === 'events', 'the stream read');
  });

  it.each(['hold', 'fail_unavailable', 'disconnect'])(
    '[A3] subscribes again after %s, and misses nothing',
    async (what) => {
      const stream = newStream();
      await given(scene.store, stream, newEvents(2));
      await arm({ on: 'subscribe', stream, do: what, times: 2 });
      const following = follow(single(), { of: { stream }, after: 'start' });
      await following.has(2);
      expect(following.events.map(({ revision }) => revision)).toEqual([0, 1]);
      expect(following.said.slice(0, 2)).toEqual(['down', 'back']);
      await following.close();
    },
  );

  it('answers a ping with no while it cannot read', async () => {
    await arm({ on: 'read', stream: '$all', do: 'hold', times: 1 });
    const client = single();
    expect(await client.ping()).toBe(false);
    await heal();
    await eventually(() => client.ping(), 'a ping answered');
  });
}
