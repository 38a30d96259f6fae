import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { EventStoreDBClient, START } from '@eventstore/db-client';
import { collect, errorOf, event, Follower, until } from './testing/client-calls';
import { faultClient } from './testing/fault-client';
import {
  freshFolder,
  removeFolder,
  runServer,
  type ServerProcess,
  spawnServer,
  type SpawnOptions,
} from './testing/server-process';
import { strace } from './testing/strace';

jest.setTimeout(60_000);

let folder: string;
const servers: ServerProcess[] = [];

beforeEach(() => (folder = freshFolder()));

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.kill()));
  removeFolder(folder);
});

async function start(options: Partial<SpawnOptions> = {}): Promise<ServerProcess> {
  const server = await spawnServer({ data: folder, ...options });
  servers.push(server);
  return server;
}

describe('the program', () => {
  it('refuses a wrong command line in one line', async () => {
    const exit = await runServer(['--data', folder, '--port', 'many']);

    expect(exit).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^--port: a whole number.*usage: .*\n$/),
    });
  });

  it('says what to do when a port is in use, and gives the folder free again', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const address = other.address();
    const port = String(typeof address === 'object' ? address?.port : 0);
    const store = await runServer(['--data', folder, '--port', port]);
    const faults = await runServer(['--data', folder, '--port', '0', '--fault-port', port]);
    other.close();

    expect(store).toMatchObject({
      code: 1,
      stderr: `port ${port} on 127.0.0.1 is in use: stop the program that holds it or choose another with --port\n`,
    });
    expect(faults).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/choose another with --fault-port\n$/),
    });
    await start();
  });

  it('does not share a folder with another server', async () => {
    const first = await start();
    const second = await runServer(['--data', folder, '--port', '0']);

    expect(second).toMatchObject({
      code: 1,
      stderr: `${folder} is in use by the event store with process id ${first.pid}; stop it first or start with another --data folder\n`,
    });
  });

  it('opens no fault interface unless it is told to', async () => {
    expect((await start()).faultUrl).toBe('http://127.0.0.1:0/faults');
  });

  it.each(['SIGTERM', 'SIGINT'] as const)(
    'ends in order on %s: what it accepted is answered, open calls fail, and it was no loss',
    async (signal) => {
      const server = await start();
      const client = server.client();
      const follower = new Follower(client.subscribeToAll({ fromPosition: START }));
      await follower.untilNoted('caughtUp');
      await client.appendToStream('before', event());
      const tries = Array.from({ length: 200 }, (_, n) => client.appendToStream(`s-${n}`, event()));
      const settled = Promise.allSettled(tries);
      await tries[0];
      server.signal(signal);
      const exit = await server.exited;
      const acknowledged = (await settled).flatMap((result, n) => (result.status === 'fulfilled' ? [n] : []));
      await until(() => follower.errors.length > 0, 'the subscription to fail');

      expect(exit).toEqual({ code: 0, signal: null, stderr: '' });
      expect(follower.errors).toEqual([expect.objectContaining({ type: 'cancelled' })]);
      const again = (await start()).client();
      for (const n of acknowledged) expect(await collect(again.readStream(`s-${n}`))).toHaveLength(1);
    },
  );

  it('answers an append whose fdatasync is under way when it is told to stop', async () => {
    const trace = join(folder, 'trace');
    const server = await start({
      data: join(folder, 'data'),
      wrapper: strace(
        ...['-e', 'trace=pwrite64,fdatasync', '-o', trace],
        ...['-e', 'inject=fdatasync:delay_enter=300000'],
      ),
    });
    const append = server.client().appendToStream('s', event());
    await until(() => readFileSync(trace, 'latin1').includes('"WREC'), 'the event to be written');
    server.signal('SIGTERM');

    expect(await append).toMatchObject({ success: true });
    expect(await server.exited).toMatchObject({ code: 0 });
  });

  it('ends although a reader takes nothing any more', async () => {
    const server = await start();
    const client = server.client();
    const events = Array.from({ length: 9 }, () => event('Large', { text: 'x'.repeat(100_000) }));
    for (let n = 0; n < 5; n++) await client.appendToStream('large', events, { expectedRevision: 'any' });
    const reading = client.readStream('large');
    reading.on('error', () => undefined);
    reading.pause();
    const subscription = client.subscribeToAll({ fromPosition: START });
    subscription.on('error', () => undefined);
    subscription.pause();
    await sleep(100);
    server.signal('SIGTERM');

    expect(await server.exited).toMatchObject({ code: 0 });
  });

  it('goes on where it was after SIGSTOP and SIGCONT', async () => {
    const server = await start();
    const client = server.client();
    const follower = new Follower(client.subscribeToAll({ fromPosition: START }));
    await client.appendToStream('s', event('Before'));
    server.signal('SIGSTOP');
    const during = client.appendToStream('s', event('During'), { expectedRevision: 0n });
    await sleep(500);
    server.signal('SIGCONT');
    await during;
    await follower.untilEvents(2);

    expect(follower.notes.filter((note) => !note.startsWith('c'))).toEqual(['Before', 'During']);
  });

  it('answers the pings of an idle client', async () => {
    // The client warns that so short an interval is unusual.
    jest.spyOn(console, 'warn').mockImplementation();
    const server = await start();
    const client = EventStoreDBClient.connectionString(
      `esdb://127.0.0.1:${server.port}?tls=false&keepAliveInterval=100&keepAliveTimeout=2000`,
    );
    const follower = new Follower(client.subscribeToAll({ fromPosition: START }));
    await follower.untilNoted('caughtUp');
    await sleep(1500);
    await client.appendToStream('s', event('AfterIdleTime'));
    await follower.untilEvents(1);
    await client.dispose();

    expect(follower.errors.filter((error) => !String(error).includes('Client has been disposed'))).toEqual(
      [],
    );
  });

  it('is found by discovery as a cluster of one', async () => {
    const server = await start();
    const client = EventStoreDBClient.connectionString(`esdb+discover://127.0.0.1:${server.port}?tls=false`);
    await client.appendToStream('s', event());

    expect(await collect(client.readStream('s', { requiresLeader: true }))).toHaveLength(1);
    await client.dispose();
  });

  it('stops with appends held by a fault', async () => {
    const server = await start({ withFaults: true });
    await faultClient(server.faultUrl).arm({ on: 'append', do: 'hold' });
    const held = errorOf(server.client().appendToStream('s', event()));
    await until(async () => (await faultClient(server.faultUrl).hits())[0] === 1, 'the fault to be hit');
    server.signal('SIGTERM');

    expect(await held).toMatchObject({ type: 'cancelled' });
    expect(await server.exited).toMatchObject({ code: 0 });
    expect(await errorOf(collect((await start()).client().readStream('s')))).toMatchObject({
      type: 'stream-not-found',
    });
  });
});
