import {
  END,
  type EventStoreDBClient,
  eventTypeFilter,
  excludeSystemEvents,
  type Position,
  START,
  streamNameFilter,
} from '@eventstore/db-client';
import { collect, event, Follower, until } from '../testing/client-calls';
import { freshFolder, removeFolder, type ServerProcess, spawnServer } from '../testing/server-process';

jest.setTimeout(60_000);

let folder: string;
let server: ServerProcess;
let client: EventStoreDBClient;

beforeAll(async () => {
  folder = freshFolder();
  server = await spawnServer({ data: folder });
  client = server.client();
  for (let n = 0; n < 20; n++) {
    const stream = n % 2 === 0 ? 'even-1' : 'odd-1';
    await client.appendToStream(stream, event(n % 4 === 0 ? 'Fourth' : 'Plain'), { expectedRevision: 'any' });
  }
  await client.setStreamMetadata('even-1', { owner: 'me' });
});

afterAll(async () => {
  await server.stop();
  removeFolder(folder);
});

describe('a subscription to $all', () => {
  it('confirms, catches up, says so, and goes on live', async () => {
    const follower = new Follower(client.subscribeToAll({ fromPosition: START }));
    await follower.untilNoted('caughtUp');
    const before = await collect(client.readAll());
    expect(follower.events).toEqual(before);
    await client.appendToStream('live', [event('Live1'), event('Live2')]);
    await follower.untilEvents(before.length + 2);

    expect(follower.notes[0]).toBe('confirmation');
    expect(follower.notes.slice(-3)).toEqual(['caughtUp', 'Live1', 'Live2']);
  });

  it('starts behind the position that it is given', async () => {
    const all = await collect(client.readAll());
    const commit = all[4]?.position ?? 0n;
    const follower = new Follower(client.subscribeToAll({ fromPosition: { commit, prepare: commit } }));
    await follower.untilNoted('caughtUp');

    expect(follower.events).toEqual(all.slice(5));
  });

  it('from the end gives what comes after it only', async () => {
    const follower = new Follower(client.subscribeToAll({ fromPosition: END }));
    await follower.untilNoted('caughtUp');
    await client.appendToStream('live', event('AfterTheEnd'), { expectedRevision: 'any' });
    await follower.untilEvents(1);

    expect(follower.events.map(({ type }) => type)).toEqual(['AfterTheEnd']);
  });

  it.each([
    ['stream prefixes', streamNameFilter({ prefixes: ['odd-', 'none-'] }), 10],
    ['a pattern for streams', streamNameFilter({ regex: '^(odd|even)-\\d$' }), 20],
    ['event type prefixes', eventTypeFilter({ prefixes: ['Fou'] }), 5],
    ['a pattern for event types', eventTypeFilter({ regex: '^(Fourth|Plain)$' }), 20],
    ['everything but system events', excludeSystemEvents(), 24],
  ])('filters by %s', async (_title, filter, count) => {
    const follower = new Follower(client.subscribeToAll({ fromPosition: START, filter }));
    await follower.untilNoted('caughtUp');

    expect(follower.events.filter(({ type }) => type !== 'AfterTheEnd')).toHaveLength(
      count === 24 ? 22 : count,
    );
    expect(follower.events.every(({ type }) => !type.startsWith('$'))).toBe(true);
  });

  it('reports how far it looked, also where nothing matches, and once on going live', async () => {
    const all = await collect(client.readAll());
    const checkpoints: bigint[] = [];
    const filter = streamNameFilter({
      prefixes: ['nothing-'],
      maxSearchWindow: 5,
      checkpointReached: async (_subscription: unknown, position: Position) => {
        checkpoints.push(position.commit);
      },
    });
    const follower = new Follower(client.subscribeToAll({ fromPosition: START, filter }));
    await follower.untilNoted('caughtUp');
    const everyFifth = all.filter((_, index) => index % 5 === 4).map(({ position }) => position);

    expect(checkpoints).toEqual([...new Set([...everyFifth, all.at(-1)?.position])]);
  });

  it('that resumes at its checkpoint misses and repeats nothing', async () => {
    const wanted = (await collect(client.readAll())).filter(({ stream }) => stream.startsWith('odd-'));
    let last: Position | undefined;
    const filter = streamNameFilter({
      prefixes: ['odd-'],
      maxSearchWindow: 3,
      checkpointReached: async (_subscription: unknown, position: Position) => {
        last ??= position.commit > (wanted[3]?.position ?? 0n) ? position : undefined;
      },
    });
    const first = new Follower(client.subscribeToAll({ fromPosition: START, filter }));
    await first.untilNoted('caughtUp');
    const second = new Follower(client.subscribeToAll({ fromPosition: last ?? START, filter }));
    await second.untilNoted('caughtUp');
    const seenUpTo = first.events.filter(({ position }) => position <= (last?.commit ?? 0n));

    expect([...seenUpTo, ...second.events]).toEqual(wanted);
  });

  it('ends with an error where its filter is no pattern', async () => {
    const follower = new Follower(client.subscribeToAll({ filter: eventTypeFilter({ regex: '(' }) }));
    await until(() => follower.errors.length > 0, 'an error');

    expect(follower.errors).toEqual([expect.objectContaining({ code: 3 })]);
  });
});

describe('a subscription to a stream', () => {
  it('waits for a stream that does not exist yet, and gives its events in order', async () => {
    const follower = new Follower(client.subscribeToStream('later'));
    await follower.untilNoted('caughtUp');
    for (let n = 0; n < 10; n++) {
      await client.appendToStream('later', [event(`L${2 * n}`), event(`L${2 * n + 1}`)], {
        expectedRevision: 'any',
      });
    }
    await follower.untilEvents(20);

    expect(follower.events.map(({ revision }) => revision)).toEqual(Array.from({ length: 20 }, (_, n) => n));
  });

  it('starts behind the revision that it is given', async () => {
    const follower = new Follower(client.subscribeToStream('even-1', { fromRevision: 7n }));
    await follower.untilNoted('caughtUp');

    expect(follower.events.map(({ revision }) => revision)).toEqual([8, 9]);
  });

  it('obeys what the metadata hides', async () => {
    await client.appendToStream('trimmed', [event(), event(), event()]);
    await client.setStreamMetadata('trimmed', { truncateBefore: 2 });
    const follower = new Follower(client.subscribeToStream('trimmed', { fromRevision: START }));
    await follower.untilNoted('caughtUp');

    expect(follower.events.map(({ revision }) => revision)).toEqual([2]);
  });

  it('ends with an error when the stream is tombstoned', async () => {
    await client.appendToStream('doomed', event());
    const follower = new Follower(client.subscribeToStream('doomed'));
    await follower.untilNoted('caughtUp');
    await client.tombstoneStream('doomed');
    await until(() => follower.errors.length > 0, 'an error');

    expect(follower.errors).toEqual([expect.objectContaining({ type: 'stream-deleted' })]);
  });
});

describe('subscriptions', () => {
  it('can be many on one connection', async () => {
    const followers = Array.from(
      { length: 150 },
      (_, n) => new Follower(client.subscribeToStream(`many-${n}`, { fromRevision: START })),
    );
    await Promise.all(followers.map((follower) => follower.untilNoted('caughtUp')));
    await Promise.all(followers.map((_, n) => client.appendToStream(`many-${n}`, event(`M${n}`))));
    await Promise.all(followers.map((follower) => follower.untilEvents(1)));

    expect(followers.map(({ events }) => events.map(({ type }) => type).join())).toEqual(
      followers.map((_, n) => `M${n}`),
    );
  });

  it('tell a reader that was too slow that it fell behind, drop nothing, and say when it has caught up', async () => {
    const subscription = client.subscribeToStream('busy', { fromRevision: START });
    const follower = new Follower(subscription);
    await follower.untilNoted('caughtUp');
    subscription.pause();
    const text = 'x'.repeat(2000);
    for (let batch = 0; batch < 20; batch++) {
      const events = Array.from({ length: 150 }, () => event('Busy', { text }));
      await client.appendToStream('busy', events, { expectedRevision: 'any' });
    }
    subscription.resume();
    await follower.untilEvents(3000);
    await until(() => follower.notes.at(-1) === 'caughtUp', 'to be caught up again');

    expect(follower.events.map(({ revision }) => revision)).toEqual(
      Array.from({ length: 3000 }, (_, n) => n),
    );
    expect(follower.notes.filter((note) => note !== 'Busy')).toEqual([
      'confirmation',
      'caughtUp',
      'fellBehind',
      'caughtUp',
    ]);
  });
});
