import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BatchAppendResp } from '@eventstore/db-client/generated/streams_pb';
import { BACKWARDS, END, type EventStoreDBClient, START } from '@eventstore/db-client';
import { findViolations } from '../testing/acknowledgement-checker';
import { collect, Follower } from '../testing/client-calls';
import { batchAppendRequest, rawClient } from '../testing/raw-client';
import { freshFolder, removeFolder, spawnServer } from '../testing/server-process';
import { parseTrace, strace, type Syscall } from '../testing/strace';

jest.setTimeout(120_000);

let folder: string;

beforeEach(() => (folder = freshFolder()));
afterEach(() => removeFolder(folder));

/** Appends `count` events, `inFlight` at a time, each with its own id as correlation id; returns the ids. */
async function appendMany(port: number, count: number, inFlight: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => randomUUID());
  const raw = rawClient(port);
  const call = raw.batchAppend();
  let sent = 0;
  let answered = 0;
  await new Promise<void>((resolve, reject) => {
    const send = (): void => {
      const eventId = ids[sent++];
      if (eventId !== undefined) call.write(batchAppendRequest({ stream: `s-${eventId}`, eventId }));
    };
    call.on('data', (answer: BatchAppendResp) => {
      if (!answer.hasSuccess()) reject(new Error(answer.getError()?.getMessage()));
      answered += 1;
      if (answered === count) resolve();
      else send();
    });
    call.on('error', reject);
    for (let n = 0; n < inFlight; n++) send();
  });
  call.end();
  raw.close();
  return ids;
}

interface Traced {
  ids: string[];
  trace: Syscall[];
}

/** Reads the youngest events again and again until `done`. */
async function readWhile(client: EventStoreDBClient, done: Promise<unknown>): Promise<void> {
  let over = false;
  const end = (): void => void (over = true);
  done.then(end, end);
  while (!over) await collect(client.readAll({ direction: BACKWARDS, fromPosition: END, maxCount: 10 }));
}

/** Runs a server under strace while clients append, one follows $all, and one reads what is youngest. */
async function traceAppends(options: { entry?: string; inFlight: number; count: number }): Promise<Traced> {
  const output = join(folder, 'trace');
  const calls = 'trace=pwrite64,write,writev,sendto,sendmsg,fdatasync,fsync';
  const server = await spawnServer({
    data: join(folder, 'data'),
    entry: options.entry,
    wrapper: strace('-xx', '-s', '100000000', '-e', calls, '-e', 'signal=none', '-o', output),
  });
  try {
    const follower = new Follower(server.client().subscribeToAll({ fromPosition: START }));
    await follower.untilNoted('caughtUp');
    const appends = appendMany(server.port, options.count, options.inFlight);
    await readWhile(server.client(), appends);
    const ids = await appends;
    await follower.untilEvents(options.count);
    await server.stop();
    return { ids, trace: parseTrace(readFileSync(output, 'latin1')) };
  } finally {
    await server.kill();
  }
}

describe('under strace', () => {
  it.each([
    { inFlight: 1, count: 50 },
    { inFlight: 64, count: 640 },
  ])('nothing leaves before the fdatasync that covers it has returned, $inFlight in flight', async (load) => {
    const { ids, trace } = await traceAppends(load);
    const syncs = trace.filter(({ name }) => name === 'fdatasync').length;

    expect(findViolations(trace, ids)).toEqual([]);
    if (load.inFlight === 1) expect(syncs).toBe(load.count);
    else expect(syncs).toBeLessThan(load.count / 4);
  });

  it.each([
    { inFlight: 1, count: 20 },
    { inFlight: 64, count: 128 },
  ])('a server whose disk lies is found out, $inFlight in flight', async (load) => {
    const { ids, trace } = await traceAppends({ ...load, entry: 'testing/early-sync-main.js' });

    expect(findViolations(trace, ids)).not.toEqual([]);
  });
});
