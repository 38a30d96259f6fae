import { randomUUID } from 'node:crypto';
import type { EventStoreDBClient } from '@eventstore/db-client';
import {
  type AppendCall,
  appendPaths,
  collect,
  errorOf,
  event,
  seen,
  type SeenEvent,
} from '../testing/client-calls';
import { freshFolder, removeFolder, type ServerProcess, spawnServer } from '../testing/server-process';

jest.setTimeout(60_000);

let folder: string;
let server: ServerProcess;
let client: EventStoreDBClient;

beforeAll(async () => {
  folder = freshFolder();
  server = await spawnServer({ data: folder });
  client = server.client();
});

afterAll(async () => {
  await server.stop();
  removeFolder(folder);
});

function read(stream: string): Promise<SeenEvent[]> {
  return collect(client.readStream(stream));
}

async function idsOf(stream: string): Promise<string[]> {
  return (await read(stream)).map(({ id }) => id);
}

describe.each(appendPaths)('appending by $path', ({ append }) => {
  let stream: string;

  beforeEach(() => (stream = `s-${randomUUID()}`));

  it('answers with the revision and position of the last event, which can be read at once', async () => {
    const events = [event('A', { x: 1 }), event('B', { x: 2 })];
    const result = await append(client, { stream, expected: 'no_stream', events });
    const stored = await read(stream);

    expect(stored.map(({ type, revision }) => [type, revision])).toEqual([
      ['A', 0],
      ['B', 1],
    ]);
    expect(result).toEqual({
      success: true,
      nextExpectedRevision: 1n,
      position: { commit: stored[1]?.position, prepare: stored[1]?.position },
    });
  });

  it('refuses a wrong revision and says which one the stream has', async () => {
    const stale = { stream, events: [event()] };
    expect(await errorOf(append(client, { ...stale, expected: 3n }))).toMatchObject({
      type: 'wrong-expected-version',
      expectedVersion: 3n,
      actualVersion: 'no_stream',
      streamName: stream,
    });
    await append(client, { ...stale, expected: 'no_stream', events: [event(), event()] });

    expect(await errorOf(append(client, { ...stale, expected: 'no_stream' }))).toMatchObject({
      type: 'wrong-expected-version',
      expectedVersion: 'no_stream',
      actualVersion: 1n,
    });
    expect(await errorOf(append(client, { ...stale, expected: 0n }))).toMatchObject({ actualVersion: 1n });
    expect(await errorOf(append(client, { ...stale, expected: 9n }))).toMatchObject({ actualVersion: 1n });
    expect(await idsOf(stream)).toHaveLength(2);
  });

  it('takes a repeat as done, a part of it too, and refuses one that goes on differently', async () => {
    const [first, ...later] = [event(), event(), event()];
    await append(client, { stream, expected: 'no_stream', events: [first ?? event()] });
    const original = await append(client, { stream, expected: 0n, events: later });

    expect(await append(client, { stream, expected: 0n, events: later })).toEqual(original);
    const part = await append(client, { stream, expected: 0n, events: later.slice(0, 1) });
    expect(part.nextExpectedRevision).toBe(1n);
    const differently = { stream, expected: 0n, events: [later[0] ?? event(), event()] };
    expect(await errorOf(append(client, differently))).toMatchObject({ type: 'wrong-expected-version' });
    expect(await idsOf(stream)).toHaveLength(3);
  });

  it('appends at the right revision even if an id repeats', async () => {
    const same = event();
    await append(client, { stream, expected: 'no_stream', events: [same] });
    await append(client, { stream, expected: 0n, events: [same] });

    expect(await idsOf(stream)).toEqual([same.id, same.id]);
  });

  it('recognises a repeat without a revision while it is recent', async () => {
    const same = event();
    await append(client, { stream, expected: 'any', events: [same] });
    await append(client, { stream, expected: 'any', events: [same] });
    await append(client, { stream, expected: 'stream_exists', events: [same] });

    expect(await idsOf(stream)).toEqual([same.id]);
  });

  it('asks for an existing stream where it is told to', async () => {
    const request: AppendCall = { stream, expected: 'stream_exists', events: [event()] };

    expect(await errorOf(append(client, request))).toMatchObject({
      type: 'wrong-expected-version',
      expectedVersion: 'stream_exists',
      actualVersion: 'no_stream',
    });
  });

  it('refuses more than 1 MiB as a whole', async () => {
    const half = event('Half', { text: 'x'.repeat(512 * 1024) });

    expect(
      await errorOf(append(client, { stream, expected: 'no_stream', events: [half, event(), half] })),
    ).toMatchObject({ type: 'maximum-append-size-exceeded', maxAppendSize: 1024 * 1024 });
    expect(await errorOf(read(stream))).toMatchObject({ type: 'stream-not-found' });
  });

  it('refuses a deleted stream', async () => {
    await append(client, { stream, expected: 'no_stream', events: [event()] });
    await client.tombstoneStream(stream);

    expect(await errorOf(append(client, { stream, expected: 'any', events: [event()] }))).toMatchObject({
      type: 'stream-deleted',
      streamName: stream,
    });
  });

  it('takes an append without events', async () => {
    await append(client, { stream, expected: 'no_stream', events: [event()] });
    const result = await append(client, { stream, expected: 0n, events: [] });

    expect(result).toMatchObject({ success: true, nextExpectedRevision: 0n });
  });

  it('takes binary data, own metadata and names beyond ASCII', async () => {
    const binary = {
      ...event('Größe'),
      contentType: 'application/octet-stream',
      data: new Uint8Array([0, 255, 1]),
      metadata: new Uint8Array([9, 8]),
    } as const;
    const name = `${stream}-ünïcödé`;
    await append(client, { stream: name, expected: 'no_stream', events: [binary] });
    for await (const { event: stored } of client.readStream(name)) {
      expect(stored).toMatchObject({ streamId: name, type: 'Größe', isJson: false });
      expect([...(stored?.data instanceof Uint8Array ? stored.data : [])]).toEqual([0, 255, 1]);
      expect(stored?.metadata).toEqual(new Uint8Array([9, 8]));
    }
    await client.tombstoneStream(name);
    expect((await errorOf(read(name))).type).toBe('stream-deleted');
  });
});

describe('appending', () => {
  it('puts an append together that comes in many pieces', async () => {
    const stream = `s-${randomUUID()}`;
    const events = Array.from({ length: 200 }, (_, n) => event('Piece', { n, text: 'x'.repeat(1000) }));
    const appended = await Promise.all([
      client.appendToStream(stream, events, { expectedRevision: 'no_stream', batchAppendSize: 3000 }),
      client.appendToStream(`${stream}-2`, events, { expectedRevision: 'no_stream', batchAppendSize: 2000 }),
    ]);

    expect(appended.map((result) => result.nextExpectedRevision)).toEqual([199n, 199n]);
    expect(await idsOf(stream)).toEqual(events.map(({ id }) => id));
    expect(await idsOf(`${stream}-2`)).toEqual(events.map(({ id }) => id));
  });

  it('refuses many megabytes without harm to the appends beside it', async () => {
    const stream = `s-${randomUUID()}`;
    const events = Array.from({ length: 12 }, () => event('Large', { text: 'x'.repeat(900 * 1024) }));
    const [large, small] = await Promise.all([
      errorOf(client.appendToStream(stream, events, { expectedRevision: 'no_stream' })),
      client.appendToStream(`${stream}-2`, event(), { expectedRevision: 'no_stream' }),
    ]);

    expect(large).toMatchObject({ type: 'maximum-append-size-exceeded' });
    expect(small.success).toBe(true);
  });

  it('keeps the events of one append together in $all, and positions only grow', async () => {
    const stream = `s-${randomUUID()}`;
    await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        client.appendToStream(`${stream}-${n}`, [event(), event(), event()], {
          expectedRevision: 'no_stream',
        }),
      ),
    );
    const all: SeenEvent[] = [];
    for await (const resolved of client.readAll()) all.push(seen(resolved));
    const ours = all.filter((each) => each.stream.startsWith(stream)).map((each) => each.stream);

    for (let at = 0; at < ours.length; at += 3) expect(new Set(ours.slice(at, at + 3)).size).toBe(1);
    for (const [at, each] of all.entries()) {
      expect(at === 0 || each.position > (all[at - 1]?.position ?? 0n)).toBe(true);
    }
  });

  it('lets exactly one of many win that append at the same revision', async () => {
    const stream = `s-${randomUUID()}`;
    const tries = await Promise.allSettled(
      Array.from({ length: 50 }, () =>
        client.appendToStream(stream, event(), { expectedRevision: 'no_stream' }),
      ),
    );

    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await idsOf(stream)).toHaveLength(1);
  });
});
