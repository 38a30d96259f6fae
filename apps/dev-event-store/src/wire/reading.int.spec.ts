import { BACKWARDS, END, type EventStoreDBClient, FORWARDS, START } from '@eventstore/db-client';
import { collect, errorOf, event, type SeenEvent } from '../testing/client-calls';
import { freshFolder, removeFolder, type ServerProcess, spawnServer } from '../testing/server-process';

jest.setTimeout(60_000);

let folder: string;
let server: ServerProcess;
let client: EventStoreDBClient;
let all: SeenEvent[];

beforeAll(async () => {
  folder = freshFolder();
  server = await spawnServer({ data: folder });
  client = server.client();
  for (let n = 0; n < 30; n++) {
    await client.appendToStream(n % 3 === 0 ? 'third' : 'others', event(`T${n}`), {
      expectedRevision: 'any',
    });
  }
  all = await collect(client.readAll());
});

afterAll(async () => {
  await server.stop();
  removeFolder(folder);
});

async function revisions(...args: Parameters<EventStoreDBClient['readStream']>): Promise<number[]> {
  return (await collect(client.readStream(...args))).map(({ revision }) => revision);
}

function at(index: number): { commit: bigint; prepare: bigint } {
  const commit = all[index]?.position ?? -1n;
  return { commit, prepare: commit };
}

describe('reading a stream', () => {
  it.each([
    ['all of it', {}, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]],
    ['from a revision, inclusive', { fromRevision: 7n }, [7, 8, 9]],
    ['a count', { fromRevision: 2n, maxCount: 3 }, [2, 3, 4]],
    ['beyond the end', { fromRevision: 10n }, []],
    ['forwards from the end', { fromRevision: END, direction: FORWARDS }, []],
    ['backwards from the end', { fromRevision: END, direction: BACKWARDS, maxCount: 2 }, [9, 8]],
    ['backwards from a revision', { fromRevision: 3n, direction: BACKWARDS }, [3, 2, 1, 0]],
    ['backwards from the start', { fromRevision: START, direction: BACKWARDS }, [0]],
  ] as const)('gives %s', async (_title, options, expected) => {
    expect(await revisions('third', options)).toEqual(expected);
  });

  it('says that a stream does not exist', async () => {
    expect(await errorOf(revisions('nobody'))).toMatchObject({
      type: 'stream-not-found',
      streamName: 'nobody',
    });
  });

  it('gives what was written: data, metadata, times', async () => {
    const before = Date.now();
    await client.appendToStream('whole', {
      ...event('Whole', { deep: [{ x: 'ü' }] }),
      metadata: { who: 'me' },
    });
    for await (const { event: stored } of client.readStream('whole')) {
      expect(stored).toMatchObject({ data: { deep: [{ x: 'ü' }] }, metadata: { who: 'me' }, isJson: true });
      expect(stored?.created.getTime()).toBeGreaterThanOrEqual(before);
      expect(stored?.created.getTime()).toBeLessThanOrEqual(Date.now());
    }
  });

  it('gives a stream of many megabytes to a reader that is slow', async () => {
    const text = 'x'.repeat(100_000);
    for (let batch = 0; batch < 20; batch++) {
      const events = Array.from({ length: 10 }, () => event('Large', { text }));
      await client.appendToStream('large', events, { expectedRevision: 'any' });
    }
    let count = 0;
    for await (const { event: stored } of client.readStream('large')) {
      expect(stored?.revision).toBe(BigInt(count++));
      if (count % 20 === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    }
    expect(count).toBe(200);
  });

  it('does not mind readers that go away in the middle', async () => {
    for (let round = 0; round < 20; round++) {
      const reading = client.readStream('large');
      for await (const { event: stored } of reading) if (stored) break;
    }
    expect(await revisions('third', { maxCount: 1 })).toEqual([0]);
  });

  it('answers many reads at once', async () => {
    const reads = await Promise.all(Array.from({ length: 300 }, () => revisions('third')));

    expect(new Set(reads.map((read) => read.join())).size).toBe(1);
  });
});

describe('reading $all', () => {
  it('goes on from the position of an event, inclusive', async () => {
    const rest = await collect(client.readAll({ fromPosition: at(27), maxCount: 3 }));

    expect(rest).toEqual(all.slice(27, 30));
  });

  it('goes backwards from the end, and from a position to what stands before it', async () => {
    const last = await collect(client.readAll({ direction: BACKWARDS, fromPosition: END, maxCount: 1 }));
    const before = await collect(client.readAll({ direction: BACKWARDS, fromPosition: at(5) }));

    expect(last).toHaveLength(1);
    expect(before).toEqual(all.slice(0, 5).reverse());
  });

  it('refuses a position beyond the log: it belongs to another store', async () => {
    const beyond = { commit: 2n ** 50n, prepare: 2n ** 50n };

    expect(await errorOf(collect(client.readAll({ fromPosition: beyond })))).toMatchObject({
      code: 3,
      message: expect.stringContaining('invalid position'),
    });
  });
});

describe('stream metadata', () => {
  it('is written, read back and obeyed by reads', async () => {
    for (let n = 0; n < 6; n++) await client.appendToStream('short', event(), { expectedRevision: 'any' });
    await client.setStreamMetadata('short', { maxCount: 2, owner: 'me' });
    expect(await revisions('short')).toEqual([4, 5]);
    expect((await client.getStreamMetadata('short')).metadata).toEqual({ maxCount: 2, owner: 'me' });
    await client.setStreamMetadata('short', { truncateBefore: 3 });
    expect(await revisions('short')).toEqual([3, 4, 5]);
    await client.setStreamMetadata('short', { maxAge: 3600 });

    expect(await revisions('short')).toEqual([0, 1, 2, 3, 4, 5]);
    expect(await revisions('$$short')).toEqual([2]);
    expect((await collect(client.readAll())).filter(({ stream }) => stream === '$$short')).toHaveLength(3);
  });

  it('that hides everything leaves an empty stream, not a missing one', async () => {
    await client.appendToStream('old', [event(), event()]);
    await client.setStreamMetadata('old', { truncateBefore: 2 });

    expect(await revisions('old')).toEqual([]);
  });
});

describe('deleting', () => {
  it('softly hides a stream, and the next append goes on numbering', async () => {
    await client.appendToStream('soft', [event(), event()]);
    expect((await client.deleteStream('soft', { expectedRevision: 1n })).position?.commit).toBeGreaterThan(
      0n,
    );
    expect((await errorOf(revisions('soft'))).type).toBe('stream-not-found');
    expect(
      await errorOf(client.appendToStream('soft', event(), { expectedRevision: 'stream_exists' })),
    ).toMatchObject({ type: 'stream-deleted' });
    const next = await client.appendToStream('soft', event(), { expectedRevision: 'no_stream' });

    expect(next.nextExpectedRevision).toBe(2n);
    expect(await revisions('soft')).toEqual([2]);
  });

  it('refuses a wrong revision and a stream that never was', async () => {
    await client.appendToStream('kept', [event(), event()]);

    expect(await errorOf(client.deleteStream('kept', { expectedRevision: 7n }))).toMatchObject({
      type: 'wrong-expected-version',
      expectedVersion: 7n,
      actualVersion: 1n,
      streamName: 'kept',
    });
    expect(await errorOf(client.deleteStream('never'))).toMatchObject({
      type: 'wrong-expected-version',
      expectedVersion: -2n,
      actualVersion: 'no_stream',
    });
    expect(await errorOf(client.tombstoneStream('kept', { expectedRevision: 0n }))).toMatchObject({
      type: 'wrong-expected-version',
    });
  });

  it('for ever lets nobody read or write it again, and shows the tombstone in $all', async () => {
    await client.appendToStream('gone', event());
    await client.tombstoneStream('gone', { expectedRevision: 0n });
    const shown = (await collect(client.readAll())).filter(({ stream }) => stream === 'gone');

    expect(await errorOf(revisions('gone'))).toMatchObject({ type: 'stream-deleted', streamName: 'gone' });
    expect(await errorOf(client.deleteStream('gone'))).toMatchObject({ type: 'stream-deleted' });
    expect(shown.map(({ type }) => type)).toEqual(['Happened', '$streamDeleted']);
  });
});
