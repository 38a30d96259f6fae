import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type EventStoreDBClient, START } from '@eventstore/db-client';
import { appendPaths, collect, errorOf, event, eventsIn, Follower, until } from '../testing/client-calls';
import { faultClient, type FaultClient } from '../testing/fault-client';
import { freshFolder, removeFolder, type ServerProcess, spawnServer } from '../testing/server-process';

jest.setTimeout(60_000);

let folder: string;
let server: ServerProcess;
let client: EventStoreDBClient;
/** Looks at the store without the client whose appends are disturbed. */
let observer: EventStoreDBClient;
let faults: FaultClient;
let stream: string;

beforeAll(async () => {
  folder = freshFolder();
  server = await spawnServer({ data: folder, withFaults: true });
  client = server.client();
  observer = server.client();
  faults = faultClient(server.faultUrl);
});

beforeEach(() => (stream = `hit-${randomUUID()}`));
afterEach(() => faults.heal());

afterAll(async () => {
  await server.stop();
  removeFolder(folder);
});

async function storedTypes(): Promise<string[]> {
  return (await eventsIn(observer, stream)).map(({ type }) => type);
}

/** Whether a call is still unanswered after others made their way through the same connection. */
async function isPending(call: Promise<unknown>): Promise<boolean> {
  let settled = false;
  const done = (): void => void (settled = true);
  call.then(done, done);
  await client.appendToStream(`beside-${randomUUID()}`, event());
  await sleep(20);
  return !settled;
}

describe.each(appendPaths)('a fault on an append by $path', ({ append }) => {
  const one = (type = 'Hit'): Promise<unknown> =>
    append(client, { stream, expected: 'no_stream', events: [event(type)] });

  it('hold: neither stored nor answered until healed, then handled as if it had just arrived', async () => {
    await faults.arm({ on: 'append', stream: 'hit-', do: 'hold' });
    const held = one();
    await until(async () => (await faults.hits())[0] === 1, 'the fault to be hit');
    expect(await isPending(held)).toBe(true);
    expect(await storedTypes()).toEqual([]);
    await faults.heal();
    await held;

    expect(await storedTypes()).toEqual(['Hit']);
  });

  it('hold: what comes late is judged by the revision that it meets', async () => {
    await faults.arm({ on: 'append', stream, do: 'hold', times: 1 });
    const late = one('Late');
    await until(async () => (await faults.hits())[0] === 1, 'the fault to be hit');
    await one('First');
    const refused = errorOf(late);
    await faults.heal();

    expect(await refused).toMatchObject({ type: 'wrong-expected-version', actualVersion: 0n });
    expect(await storedTypes()).toEqual(['First']);
  });

  it('store_then_drop_ack: stored, never answered, and the connection stays', async () => {
    await faults.arm({ on: 'append', stream: 'hit-', do: 'store_then_drop_ack' });
    const dropped = one();
    dropped.catch(() => undefined);
    await until(async () => (await storedTypes()).length === 1, 'the event to be stored');

    expect(await isPending(dropped)).toBe(true);
  });

  it('store_then_wrong_version: stored, and answered as if another had won', async () => {
    await faults.arm({ on: 'append', stream: 'hit-', do: 'store_then_wrong_version' });

    expect(await errorOf(one())).toMatchObject({
      type: 'wrong-expected-version',
      expectedVersion: 'no_stream',
      actualVersion: 0n,
    });
    expect(await storedTypes()).toEqual(['Hit']);
  });

  it('delay: stored at once, answered later', async () => {
    await faults.arm({ on: 'append', stream: 'hit-', do: 'delay', ms: 300 });
    const started = Date.now();
    const delayed = one();
    await until(async () => (await storedTypes()).length === 1, 'the event to be stored');
    await delayed;

    expect(Date.now() - started).toBeGreaterThanOrEqual(299);
  });

  it('disconnect: the connection is closed and nothing is stored', async () => {
    await faults.arm({ on: 'append', stream: 'hit-', do: 'disconnect', times: 1 });

    expect(await errorOf(one())).toMatchObject({ type: 'unavailable' });
    expect(await storedTypes()).toEqual([]);
    await one('Again');
    expect(await storedTypes()).toEqual(['Again']);
  });
});

describe('a fault on an append', () => {
  it('fail_unavailable: not stored, answered as the real server answers when it is not ready', async () => {
    await faults.arm({ on: 'append', stream: 'hit-', do: 'fail_unavailable', times: 2 });
    const batch = await errorOf(client.appendToStream(stream, event()));
    const own = await errorOf(
      client.appendToStream(stream, event(), { credentials: { username: 'a', password: 'b' } }),
    );

    // The client does not know the batch answer of a server that is not ready.
    expect(batch).toMatchObject({ type: 'unknown', message: 'Could not recognize Server Is Not Ready' });
    expect(own).toMatchObject({
      type: 'unavailable',
      message: expect.stringContaining('Server Is Not Ready'),
    });
    expect(await storedTypes()).toEqual([]);
  });

  it('acts where at least one event has the type, on that append alone', async () => {
    await faults.arm({ on: 'append', stream: 'hit-', eventType: 'Marked', do: 'fail_unavailable' });
    const [unmarked, marked] = await Promise.allSettled([
      client.appendToStream(stream, [event('A'), event('B')], { expectedRevision: 'no_stream' }),
      client.appendToStream(`${stream}-2`, [event('A'), event('Marked')], { expectedRevision: 'no_stream' }),
    ]);

    expect([unmarked.status, marked.status]).toEqual(['fulfilled', 'rejected']);
    expect(await faults.hits()).toEqual([1]);
  });

  it('held by a client that dies is stored all the same: nobody can call a request back', async () => {
    const dying = server.client();
    await faults.arm({ on: 'append', stream, do: 'hold' });
    dying.appendToStream(stream, event('FromTheDead')).catch(() => undefined);
    await until(async () => (await faults.hits())[0] === 1, 'the fault to be hit');
    await dying.dispose();
    await sleep(50);
    await faults.heal();

    await until(async () => (await storedTypes()).includes('FromTheDead'), 'the event to be stored');
  });
});

describe('a fault on reading', () => {
  beforeEach(async () => void (await observer.appendToStream(stream, [event('A'), event('B')])));

  it('hold: nothing is answered until healed, then as of that moment', async () => {
    await faults.arm({ on: 'read', stream, do: 'hold', times: 1 });
    const held = collect(client.readStream(stream));
    await until(async () => (await faults.hits())[0] === 1, 'the fault to be hit');
    expect(await isPending(held)).toBe(true);
    await observer.appendToStream(stream, event('C'));
    await faults.heal();

    expect((await held).map(({ type }) => type)).toEqual(['A', 'B', 'C']);
  });

  it('delay: shows what was there when it came', async () => {
    await faults.arm({ on: 'read', stream, do: 'delay', ms: 200, times: 1 });
    const delayed = collect(client.readStream(stream));
    await until(async () => (await faults.hits())[0] === 1, 'the fault to be hit');
    await observer.appendToStream(stream, event('C'));

    expect((await delayed).map(({ type }) => type)).toEqual(['A', 'B']);
  });

  it.each([
    ['fail_unavailable', 'Server Is Not Ready'],
    ['disconnect', ''],
  ])('%s: the read fails', async (act, message) => {
    await faults.arm({ on: 'read', stream, do: act, times: 1 });

    expect(await errorOf(collect(client.readStream(stream)))).toMatchObject({
      type: 'unavailable',
      message: expect.stringContaining(message),
    });
    expect(await collect(client.readStream(stream))).toHaveLength(2);
  });

  it('$all is a stream like others', async () => {
    await faults.arm({ on: 'read', stream: '$all', do: 'fail_unavailable' });

    expect(await errorOf(collect(client.readAll({ maxCount: 1 })))).toMatchObject({ type: 'unavailable' });
    expect(await collect(client.readStream(stream))).toHaveLength(2);
  });
});

describe('a fault on subscribing', () => {
  beforeEach(async () => void (await observer.appendToStream(stream, [event('A'), event('B')])));

  it('hold and delay: it confirms later', async () => {
    await faults.arm({ on: 'subscribe', stream, do: 'hold', times: 1 });
    const held = new Follower(client.subscribeToStream(stream));
    await until(async () => (await faults.hits())[0] === 1, 'the fault to be hit');
    await sleep(30);
    expect(held.notes).toEqual([]);
    await faults.heal();
    await held.untilNoted('caughtUp');
    await faults.arm({ on: 'subscribe', stream, do: 'delay', ms: 50 });
    const delayed = new Follower(client.subscribeToStream(stream));
    await delayed.untilNoted('caughtUp');

    expect(held.notes).toEqual(['confirmation', 'A', 'B', 'caughtUp']);
    expect(delayed.notes).toEqual(['confirmation', 'A', 'B', 'caughtUp']);
  });

  it.each(['fail_unavailable', 'disconnect'])('%s: the subscription ends with an error', async (act) => {
    await faults.arm({ on: 'subscribe', stream: '$all', do: act });
    const follower = new Follower(server.client().subscribeToAll({ fromPosition: START }));
    await until(() => follower.errors.length > 0, 'an error');

    expect(follower.errors).toEqual([expect.objectContaining({ type: 'unavailable' })]);
  });
});

describe('the fault interface', () => {
  it('lists what is armed with its hits, and forgets it when healed', async () => {
    const id = await faults.arm({ on: 'append', stream, do: 'delay', ms: 0, times: 2 });
    await client.appendToStream(stream, event());

    expect(await faults.list()).toEqual([
      { id, on: 'append', stream, do: 'delay', ms: 0, times: 2, hits: 1 },
    ]);
    await faults.heal();
    expect(await faults.list()).toEqual([]);
  });

  it.each([
    '',
    'no json',
    '{}',
    '[]',
    '{"on":"append","do":"explode"}',
    '{"on":"read","do":"store_then_drop_ack"}',
  ])('answers %j with a problem', async (body) => {
    const response = await fetch(server.faultUrl, { method: 'POST', body });

    expect(response.status).toBe(400);
    expect(response.headers.get('content-type')).toBe('application/problem+json');
    expect(await response.json()).toMatchObject({
      status: 400,
      code: 'invalid_request',
      title: 'Bad Request',
    });
    expect(await faults.list()).toEqual([]);
  });

  it('answers other paths, methods and sizes with a problem', async () => {
    const base = new URL(server.faultUrl);
    const answers = await Promise.all([
      fetch(new URL('/elsewhere', base)),
      fetch(base, { method: 'PUT' }),
      fetch(base, { method: 'POST', body: 'x'.repeat(70_000) }),
    ]);

    expect(answers.map(({ status }) => status)).toEqual([404, 405, 413]);
    expect(answers[1]?.headers.get('allow')).toBe('GET, POST, DELETE');
    for (const answer of answers) expect(answer.headers.get('content-type')).toBe('application/problem+json');
  });

  it('says that the process lives', async () => {
    expect((await fetch(new URL('/livez', server.faultUrl))).status).toBe(200);
  });
});
