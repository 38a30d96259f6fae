import {
  acknowledged,
  eventually,
  follow,
  given,
  idsIn,
  idsOf,
  newEvents,
  newStream,
  type Scene,
} from '../scene';

/** Milliseconds of one try in these cases. */
const TRY_MS = 700;

export function frozenCases(scene: Scene): void {
  afterEach(() => scene.under.thaw?.());
  const freeze = (): void => scene.under.freeze?.();
  const thaw = (): void => scene.under.thaw?.();

  it('[A6.2] says unknown within its time, whether or not it was connected before', async () => {
    const [connected, fresh] = [1, 2].map(() => scene.connect({ appendTimeoutMs: TRY_MS, resolveMs: 0 }));
    await eventually(async () => (await connected?.ping()) === true, 'connected');
    await connected?.append(newStream(), 'no_stream', newEvents(1));
    freeze();
    for (const client of [connected, fresh])
      expect(await client?.append(newStream(), 'no_stream', newEvents(1))).toEqual({
        outcome: 'unknown',
        cause: 'store_timeout',
      });
    expect(
      await connected?.readStream(newStream(), { direction: 'forwards', from: 'start', maxCount: 1 }),
    ).toEqual({ outcome: 'unavailable', cause: 'store_timeout' });
    expect(await connected?.ping()).toBe(false);
  });

  it('[A6.1, A6.2] appends again as soon as it goes on, and has stored nothing twice', async () => {
    const client = scene.connect({ appendTimeoutMs: TRY_MS, resolveMs: 0 });
    const isAcknowledged = async () =>
      (await client.append(newStream(), 'no_stream', newEvents(1))).outcome === 'acknowledged';
    await eventually(isAcknowledged, 'connected');
    const streams = Array.from({ length: 16 }, () => newStream());
    const events = streams.map(() => newEvents(1));
    await Promise.all(streams.map((stream, index) => given(scene.store, stream, events[index] ?? [])));
    freeze();
    const lost = streams.map(() => newEvents(1));
    for (const outcome of await Promise.all(
      streams.map((stream, index) => client.append(stream, 0, lost[index] ?? [])),
    ))
      expect(outcome).toMatchObject({ outcome: 'unknown' });
    thaw();
    await Promise.all(
      streams.map((stream, index) =>
        eventually(async () => {
          const outcome = await client.append(stream, 0, lost[index] ?? []);
          if (outcome.outcome === 'acknowledged') expect(outcome.revision).toBe(1);
          return outcome.outcome === 'acknowledged';
        }, 'acknowledged after the freeze'),
      ),
    );
    for (const [index, stream] of streams.entries())
      expect(await idsIn(client, stream)).toEqual(idsOf([...(events[index] ?? []), ...(lost[index] ?? [])]));
  });

  it('[protocol 5] resolves an append across a freeze', async () => {
    const client = scene.connect({ appendTimeoutMs: TRY_MS, resolveMs: 20_000 });
    const [stream, events] = [newStream(), newEvents(1)];
    expect(await client.append(newStream(), 'no_stream', newEvents(1))).toMatchObject({
      outcome: 'acknowledged',
    });
    freeze();
    const outcome = client.append(stream, 'no_stream', events);
    expect(await client.ping()).toBe(false);
    thaw();
    expect(await outcome).toMatchObject(acknowledged(0, true));
    expect(await idsIn(client, stream)).toEqual(idsOf(events));
  });

  it('[A3] notices that what it follows has fallen silent, and goes on from there', async () => {
    const client = scene.connect({ appendTimeoutMs: TRY_MS });
    const stream = newStream();
    await given(scene.store, stream, newEvents(2));
    const following = follow(client, { of: { stream }, after: 'start' });
    await following.has(2);
    await following.caughtUp();
    freeze();
    await eventually(() => following.said.includes('down'), 'the silence noticed');
    thaw();
    expect(await scene.store.append(stream, 1, newEvents(2))).toMatchObject({ outcome: 'acknowledged' });
    await following.has(4);
    expect(following.events.map(({ revision }) => revision)).toEqual([0, 1, 2, 3]);
    expect(following.said).toContain('back');
    await following.close();
  });
}
