import type { RecordedEvent } from '@writ/contracts';
import { systemClock } from '../system-ports';
import {
  eventsOf,
  eventually,
  follow,
  given,
  idsOf,
  newEvents,
  newPrefix,
  newStream,
  type Scene,
} from '../scene';

/** Milliseconds to look on for what must not come. */
const LOOK_ON_MS = 300;

export function subscriptionCases(scene: Scene): void {
  it('[A3] follows a stream from its start and goes on live', async () => {
    const stream = newStream();
    const [past, live] = [newEvents(3), newEvents(2)];
    await given(scene.store, stream, past);
    const following = follow(scene.store, { of: { stream }, after: 'start' });
    await following.caughtUp();
    expect(idsOf(following.events)).toEqual(idsOf(past));
    await scene.store.append(stream, 2, live);
    await following.has(5);
    expect(idsOf(following.events)).toEqual(idsOf([...past, ...live]));
    await following.close();
  });

  it('[A3] follows a stream that does not exist yet', async () => {
    const stream = newStream();
    const following = follow(scene.store, { of: { stream }, after: 'start' });
    await following.caughtUp();
    const events = newEvents(2);
    await given(scene.store, stream, events);
    await following.has(2);
    expect(idsOf(following.events)).toEqual(idsOf(events));
    await following.close();
  });

  it('[A3] resumes a stream behind a revision, itself excluded', async () => {
    const stream = newStream();
    await given(scene.store, stream, newEvents(5));
    const following = follow(scene.store, { of: { stream }, after: 2 });
    await following.caughtUp();
    expect(following.events.map(({ revision }) => revision)).toEqual([3, 4]);
    await following.close();
  });

  it('[A3] follows streams by prefixes, in the order of the log, and nothing else', async () => {
    const [one, two] = [newPrefix(), newPrefix()];
    await given(scene.store, `${one}a`, newEvents(3));
    await given(scene.store, `${two}a`, newEvents(3));
    await given(scene.store, newStream(), newEvents(3));
    const following = follow(scene.store, { of: { prefixes: [one, two] }, after: 'start' });
    await following.caughtUp();
    await scene.store.append(`${one}a`, 2, newEvents(1));
    await given(scene.store, newStream(), newEvents(1));
    await given(scene.store, `${two}b`, newEvents(1));
    await following.has(8);
    expect(following.events.map(({ stream, revision }) => `${stream}@${revision}`)).toEqual([
      ...[0, 1, 2].map((revision) => `${one}a@${revision}`),
      ...[0, 1, 2].map((revision) => `${two}a@${revision}`),
      `${one}a@3`,
      `${two}b@0`,
    ]);
    await following.close();
  });

  it('[A3] resumes prefixes behind a position, itself excluded', async () => {
    const prefix = newPrefix();
    await given(scene.store, `${prefix}a`, newEvents(5));
    const read = await scene.store.readStream(`${prefix}a`, { direction: 'forwards', from: 2, maxCount: 1 });
    const following = follow(scene.store, {
      of: { prefixes: [prefix] },
      after: eventsOf(read)[0]?.position ?? 'start',
    });
    await following.caughtUp();
    expect(following.events.map(({ revision }) => revision)).toEqual([3, 4]);
    await following.close();
  });

  it.each(['a stream', 'prefixes'] as const)('[A3] follows %s from the end on', async (kind) => {
    const prefix = newPrefix();
    const stream = `${prefix}a`;
    await given(scene.store, stream, newEvents(5));
    const following = follow(scene.store, {
      of: kind === 'a stream' ? { stream } : { prefixes: [prefix] },
      after: 'end',
    });
    await following.caughtUp();
    await scene.store.append(stream, 4, newEvents(2));
    await following.has(2);
    expect(following.events.map(({ revision }) => revision)).toEqual([5, 6]);
    await following.close();
  });

  it('[A3] says how far the log is known though nothing of it matched, never too far', async () => {
    const prefix = newPrefix();
    const following = follow(scene.store, { of: { prefixes: [prefix] }, after: 'end' });
    await following.caughtUp();
    for (let round = 0; round < 10; round += 1) await given(scene.store, newStream(), newEvents(50));
    await eventually(() => following.checkpoints.length > 0, 'a checkpoint');
    const after = following.checkpoints.at(-1) ?? 'start';
    await following.close();
    await given(scene.store, `${prefix}a`, newEvents(2));
    const resumed = follow(scene.store, { of: { prefixes: [prefix] }, after });
    await resumed.has(2);
    expect(resumed.events.map(({ revision }) => revision)).toEqual([0, 1]);
    await resumed.close();
  });

  it('[C5] waits for each handler before the next event', async () => {
    const stream = newStream();
    await given(scene.store, stream, newEvents(20));
    const steps: string[] = [];
    const following = scene.store.follow({
      of: { stream },
      after: 'start',
      onEvent: async ({ revision }: RecordedEvent) => {
        steps.push(`begin ${revision}`);
        await systemClock.sleep(1);
        steps.push(`end ${revision}`);
      },
    });
    await eventually(() => steps.length === 40, 'all events handled');
    expect(steps).toEqual(
      Array.from({ length: 20 }, (_, revision) => [`begin ${revision}`, `end ${revision}`]).flat(),
    );
    await following.close();
  });

  it('[C5] goes on with a slow follower however much piles up', async () => {
    const stream = newStream();
    await given(scene.store, stream, newEvents(1));
    const seen: number[] = [];
    const following = scene.store.follow({
      of: { stream },
      after: 'start',
      onEvent: async ({ revision }) => {
        if (seen.length === 0) await systemClock.sleep(1_000);
        seen.push(revision);
      },
    });
    for (let head = 0; head < 3_000; head += 500) await scene.store.append(stream, head, newEvents(500));
    await eventually(() => seen.length >= 3_001, 'everything followed');
    expect(seen).toEqual(Array.from({ length: 3_001 }, (_, revision) => revision));
    await following.close();
  });

  it('[C5] delivers an event again whose handler failed, before those behind it', async () => {
    const stream = newStream();
    await given(scene.store, stream, newEvents(3));
    const seen: number[] = [];
    const following = scene.store.follow({
      of: { stream },
      after: 'start',
      onEvent: ({ revision }) => {
        seen.push(revision);
        if (seen.length === 2) throw new Error('not yet');
      },
    });
    await eventually(() => seen.length >= 2, 'the failing handler');
    await scene.store.append(stream, 2, newEvents(1));
    await eventually(() => seen.includes(3), 'the last event');
    expect(seen).toEqual([0, 1, 1, 2, 3]);
    await following.close();
  });

  it('says nothing more after it was closed', async () => {
    const stream = newStream();
    const following = follow(scene.store, { of: { stream }, after: 'start' });
    await following.caughtUp();
    await following.close();
    await given(scene.store, stream, newEvents(2));
    await systemClock.sleep(LOOK_ON_MS);
    expect(following.events).toEqual([]);
    expect(following.said).toEqual(['caught_up']);
  });

  it('[A6.6] keeps 120 followers of one client apart, and appends beside them', async () => {
    const client = scene.connect();
    const streams = Array.from({ length: 120 }, () => newStream());
    const followings = streams.map((stream) => follow(client, { of: { stream }, after: 'start' }));
    await Promise.all(streams.map((stream) => given(client, stream, newEvents(2))));
    await Promise.all(followings.map((following) => following.has(2)));
    followings.forEach(({ events }, index) =>
      expect(events.map(({ stream }) => stream)).toEqual(Array(2).fill(streams[index])),
    );
    await client.close();
  });

  it.each([
    ['no prefix', { of: { prefixes: [] }, after: 'start' }],
    ["a prefix of the store's own streams", { of: { prefixes: ['$'] }, after: 'start' }],
    ['prefixes behind a revision', { of: { prefixes: ['session-'] }, after: 3 }],
    ['a stream behind a position', { of: { stream: 'session-a' }, after: '17' }],
  ] as const)('takes following %s for a bug', (_, options) => {
    expect(() => scene.store.follow({ ...options, onEvent: () => undefined })).toThrow(RangeError);
  });
}
