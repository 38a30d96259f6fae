import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { AppendResult, EventData, EventStoreDBClient } from '@eventstore/db-client';
import { collect, errorOf, event, eventsIn, until } from '../testing/client-calls';
import { copyLog, damageLog, logPath, readLogFolder } from '../testing/log-files';
import {
  freshFolder,
  removeFolder,
  runServer,
  type ServerProcess,
  spawnServer,
  type SpawnOptions,
} from '../testing/server-process';
import { strace } from '../testing/strace';

jest.setTimeout(120_000);

let root: string;
let data: string;
const servers: ServerProcess[] = [];

beforeEach(() => {
  root = freshFolder();
  data = join(root, 'data');
});

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.kill()));
  removeFolder(root);
});

async function start(options: Partial<SpawnOptions> = {}): Promise<ServerProcess> {
  const server = await spawnServer({ data, ...options });
  servers.push(server);
  return server;
}

async function idsIn(client: EventStoreDBClient, stream: string): Promise<string[]> {
  return (await eventsIn(client, stream)).map(({ id }) => id);
}

interface SentAppend {
  stream: string;
  expected: bigint | 'no_stream';
  events: EventData[];
  acknowledged: boolean;
}

/** Workers that append to a stream each, one append after the other, until the server is gone. */
function appendUntilGone(
  client: EventStoreDBClient,
  names: readonly string[],
): { sent: SentAppend[]; gone: Promise<void> } {
  const sent: SentAppend[] = [];
  const workers = names.map(async (stream) => {
    let expected: bigint | 'no_stream' = 'no_stream';
    for (;;) {
      const append: SentAppend = { stream, expected, events: [event('A'), event('B')], acknowledged: false };
      sent.push(append);
      try {
        const result: AppendResult = await client.appendToStream(stream, append.events, {
          expectedRevision: expected,
        });
        append.acknowledged = true;
        expected = result.nextExpectedRevision;
      } catch {
        return;
      }
    }
  });
  return { sent, gone: Promise.all(workers).then(() => undefined) };
}

/** Checks what a killed server left of one stream, and settles the appends that got no answer by repeating them. */
async function checkStream(client: EventStoreDBClient, sent: readonly SentAppend[]): Promise<void> {
  const stream = sent[0]?.stream ?? '';
  const stored = await idsIn(client, stream);
  for (const { expected, events, acknowledged } of sent) {
    const first = expected === 'no_stream' ? 0 : Number(expected) + 1;
    const found = stored.slice(first, first + 2);
    const wanted = events.map(({ id }) => id);
    if (acknowledged) expect(found).toEqual(wanted);
    else expect([[], wanted]).toContainEqual(found);
    const repeat = await client.appendToStream(stream, events, { expectedRevision: expected });
    expect(Number(repeat.nextExpectedRevision)).toBe(first + 1);
  }
  expect(await idsIn(client, stream)).toEqual(sent.flatMap(({ events }) => events.map(({ id }) => id)));
}

describe('SIGKILL with 64 appends in flight', () => {
  it('loses nothing that was acknowledged, tears no append, and a repeat settles the rest', async () => {
    for (let round = 0; round < 3; round++) {
      const server = await start();
      const names = Array.from({ length: 64 }, (_, n) => `round-${round}-${n}`);
      const { sent, gone } = appendUntilGone(server.client(), names);
      const enough = 100 + 50 * round;
      await until(() => sent.filter(({ acknowledged }) => acknowledged).length > enough, 'some answers');
      server.signal('SIGKILL');
      await server.exited;
      await gone;

      const again = await start();
      const client = again.client();
      const ofStream = (name: string): SentAppend[] => sent.filter(({ stream }) => stream === name);
      await Promise.all(names.map((name) => checkStream(client, ofStream(name))));
      await again.kill();
    }
  });
});

describe('a restart', () => {
  it.each(['kill', 'stop'] as const)(
    'after %s still knows a repeat by its ids, and everything else',
    async (how) => {
      const first = await start();
      const events = [event('A'), event('B')];
      const original = await first.client().appendToStream('s', events, { expectedRevision: 'no_stream' });
      await first.client().appendToStream('s', event('C'), { expectedRevision: 1n });
      await first.client().appendToStream('t', event());
      await first.client().setStreamMetadata('t', { maxCount: 3 });
      await first.client().appendToStream('gone', event());
      await first.client().tombstoneStream('gone');
      await first.client().appendToStream('soft', event());
      await first.client().deleteStream('soft');
      const before = await collect(first.client().readAll());
      await first[how]();

      const client = (await start()).client();
      expect(await collect(client.readAll())).toEqual(before);
      expect(await client.appendToStream('s', events, { expectedRevision: 'no_stream' })).toEqual(original);
      const others = client.appendToStream('s', [event(), event()], { expectedRevision: 'no_stream' });
      expect(await errorOf(others)).toMatchObject({ type: 'wrong-expected-version', actualVersion: 2n });
      expect((await client.getStreamMetadata('t')).metadata).toEqual({ maxCount: 3 });
      expect(await errorOf(client.appendToStream('gone', event()))).toMatchObject({ type: 'stream-deleted' });
      expect((await client.appendToStream('soft', event())).nextExpectedRevision).toBe(1n);
      expect(await collect(client.readAll())).toHaveLength(before.length + 2);
    },
  );

  it('forgets repeats that named no revision, as the real server does', async () => {
    const same = event();
    await (await start()).client().appendToStream('s', same, { expectedRevision: 'any' });
    await servers[0]?.kill();
    const client = (await start()).client();
    await client.appendToStream('s', same, { expectedRevision: 'any' });

    expect(await idsIn(client, 's')).toEqual([same.id, same.id]);
  });
});

describe('a log that was cut', () => {
  it('opens, without the append that was not whole', async () => {
    const server = await start();
    for (let n = 0; n < 4; n++) await server.client().appendToStream(`s-${n}`, [event(), event()]);
    await server.kill();
    const { offsets } = readLogFolder(data);
    const [third = 0, last = 0] = offsets.slice(-2);
    for (const [cut, left] of [
      [statSync(logPath(data)).size - 1, 3],
      [last + 1, 3],
      [last, 3],
      [last - 1, 2],
      [third + 9, 2],
    ] as const) {
      const copy = join(root, `cut-${cut}`);
      copyLog(data, copy, cut);
      const opened = await start({ data: copy });
      const all = await collect(opened.client().readAll());
      await opened.client().appendToStream('after', event());

      expect(all.map(({ stream }) => stream)).toEqual(
        ['s-0', 's-0', 's-1', 's-1', 's-2', 's-2'].slice(0, 2 * left),
      );
      await opened.kill();
    }
  });
});

describe('a log that cannot be served', () => {
  beforeEach(async () => {
    const server = await start();
    for (let n = 0; n < 3; n++) await server.client().appendToStream('s', event());
    await server.kill();
  });

  it.each([
    ['damaged before its end', 100, /events\.log is damaged: the record at byte 64 cannot be read/],
    [
      'of another format version',
      12,
      /format version 0, this program reads and writes version 1; start the version/,
    ],
    ['no log', 0, /is not an event log of this program; start with another --data folder/],
  ])('because it is %s is refused in one line and left alone', async (_what, offset, problem) => {
    damageLog(data, offset);
    const size = statSync(logPath(data)).size;
    const exit = await runServer(['--data', data, '--port', '0']);

    expect(exit).toMatchObject({ code: 1, stderr: expect.stringMatching(problem) });
    expect(exit.stderr.trimEnd()).not.toContain('\n');
    expect(statSync(logPath(data)).size).toBe(size);
  });
});

describe('a disk that fails', () => {
  it.each([
    ['fdatasync', 'EIO'],
    ['pwrite64', 'ENOSPC'],
  ])('%s with %s: nothing is acknowledged any more, the server ends and says why', async (call, error) => {
    // strace counts the calls of each thread for itself.
    const injection = `inject=${call}:error=${error}:when=6+`;
    const server = await start({
      wrapper: strace('-e', `trace=${call}`, '-e', injection, '-o', join(root, 'trace')),
    });
    const client = server.client();
    const acknowledged: string[] = [];
    const stillWorks = async (): Promise<void> => {
      for (let n = 0; ; n++) {
        await client.appendToStream(`s-${n}`, event());
        acknowledged.push(`s-${n}`);
      }
    };
    expect(await errorOf(stillWorks())).toMatchObject({ code: 14 });
    const exit = await server.exited;

    expect(exit).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^the log can no longer be written, stopping: .*\n$/),
    });
    expect(exit.stderr).toContain(error);
    expect(acknowledged).not.toEqual([]);
    const again = (await start()).client();
    for (const stream of acknowledged) expect(await idsIn(again, stream)).toHaveLength(1);
  });
});
