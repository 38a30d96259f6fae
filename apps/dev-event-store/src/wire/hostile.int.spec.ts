import { randomUUID } from 'node:crypto';
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { StreamsClient } from '@eventstore/db-client/generated/streams_grpc_pb';
import {
  AppendReq,
  BatchAppendReq,
  type BatchAppendResp,
  DeleteReq,
  ReadReq,
} from '@eventstore/db-client/generated/streams_pb';
import { type ServiceError, status } from '@grpc/grpc-js';
import { MAX_PENDING_APPENDS_PER_STREAM } from '../limits';
import { collect, errorOf, event, eventsIn } from '../testing/client-calls';
import {
  appendEvent,
  appendOptions,
  batchAppendRequest,
  rawClient,
  streamIdentifier,
} from '../testing/raw-client';
import { freshFolder, removeFolder, type ServerProcess, spawnServer } from '../testing/server-process';

jest.setTimeout(60_000);

let folder: string;
let server: ServerProcess;
let raw: StreamsClient;

beforeAll(async () => {
  folder = freshFolder();
  server = await spawnServer({ data: folder });
  raw = rawClient(server.port);
});

afterAll(async () => {
  raw.close();
  const exit = await server.stop();
  removeFolder(folder);
  expect(exit).toMatchObject({ code: 0, stderr: '' });
});

afterEach(async () => {
  // Whatever came, the server still serves.
  const client = server.client();
  await client.appendToStream(`after-${randomUUID()}`, event());
});

function answersOf(...requests: BatchAppendReq[]): Promise<BatchAppendResp[]> {
  return new Promise((resolve, reject) => {
    const answers: BatchAppendResp[] = [];
    const call = raw.batchAppend();
    call.on('data', (answer: BatchAppendResp) => answers.push(answer));
    call.on('error', reject);
    call.on('end', () => resolve(answers));
    for (const request of requests) call.write(request);
    call.end();
  });
}

function failureOf(
  call: (callback: (error: ServiceError | null) => void) => unknown,
): Promise<number | undefined> {
  return new Promise((resolve) => call((error) => resolve(error?.code)));
}

function readFailure(request: ReadReq): Promise<number> {
  return new Promise((resolve) => {
    const call = raw.read(request);
    call.on('data', () => undefined);
    call.on('error', (error: ServiceError) => resolve(error.code));
  });
}

/** A way to the server that can be cut like a cable. */
async function openProxy(target: number): Promise<{ port: number; cut: () => void }> {
  const sockets: Socket[] = [];
  const proxy = createServer((near) => {
    const far = connect(target, '127.0.0.1');
    for (const socket of [near, far]) socket.on('error', () => undefined);
    near.pipe(far).pipe(near);
    sockets.push(near, far);
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => proxy.once('listening', resolve));
  const address = proxy.address();
  const cut = (): void => {
    proxy.close();
    for (const socket of sockets) socket.destroy();
  };
  return { port: typeof address === 'object' ? (address?.port ?? 0) : 0, cut };
}

describe('requests that no good client sends', () => {
  it('a client that half-closes its batch stream still gets every answer, and then an orderly end', async () => {
    const requests = Array.from({ length: 30 }, (_, n) =>
      batchAppendRequest({ stream: `half-${n}`, eventId: randomUUID() }),
    );
    const answers = await answersOf(...requests);

    expect(answers.map((answer) => answer.hasSuccess())).toEqual(requests.map(() => true));
  });

  it('a client that never waits is slowed down, and still gets every answer once', async () => {
    const count = 3 * MAX_PENDING_APPENDS_PER_STREAM;
    const requests = Array.from({ length: count }, (_, n) =>
      batchAppendRequest({ stream: `flood-${n}`, eventId: randomUUID() }),
    );
    const answers = await answersOf(...requests);

    expect(answers.every((answer) => answer.hasSuccess())).toBe(true);
    expect(new Set(answers.map((answer) => answer.getCorrelationId()?.getString())).size).toBe(count);
  });

  it.each<[string, (request: BatchAppendReq) => void]>([
    ['an event without an id', (request) => request.getProposedMessagesList()[0]?.clearId()],
    [
      'an event without a type',
      (request) => request.getProposedMessagesList()[0]?.getMetadataMap().del('type'),
    ],
    ['no stream name', (request) => request.getOptions()?.setStreamIdentifier(streamIdentifier(''))],
    ['the name $all', (request) => request.getOptions()?.setStreamIdentifier(streamIdentifier('$all'))],
    [
      'a name that is too long',
      (request) => request.getOptions()?.setStreamIdentifier(streamIdentifier('x'.repeat(2000))),
    ],
    ['no expected revision', (request) => request.getOptions()?.clearNoStream()],
  ])('a batch append with %s is refused by itself', async (_title, spoil) => {
    const bad = batchAppendRequest({ stream: `bad-${randomUUID()}`, eventId: randomUUID() });
    spoil(bad);
    const good = batchAppendRequest({ stream: `good-${randomUUID()}`, eventId: randomUUID() });
    const answers = await answersOf(bad, good);
    const byId = new Map(answers.map((answer) => [answer.getCorrelationId()?.getString(), answer]));

    expect(byId.get(bad.getCorrelationId()?.getString())?.getError()?.getDetails()?.getTypeName()).toBe(
      'event_store.client.BadRequest',
    );
    expect(byId.get(good.getCorrelationId()?.getString())?.hasSuccess()).toBe(true);
  });

  it('a batch append without options or correlation id ends its stream', async () => {
    const without = batchAppendRequest({ stream: 'x', eventId: randomUUID() });
    without.clearOptions();

    expect(await errorOf(answersOf(without))).toMatchObject({ code: status.INVALID_ARGUMENT });
    expect(await errorOf(answersOf(new BatchAppendReq()))).toMatchObject({ code: status.INVALID_ARGUMENT });
  });

  it('reads and deletes without options, and appends without anything, are invalid', async () => {
    expect(await readFailure(new ReadReq())).toBe(status.INVALID_ARGUMENT);
    expect(await readFailure(new ReadReq().setOptions(new ReadReq.Options()))).toBe(status.INVALID_ARGUMENT);
    expect(await failureOf((callback) => raw.delete(new DeleteReq(), callback))).toBe(
      status.INVALID_ARGUMENT,
    );
    expect(await failureOf((callback) => raw.append(callback).end())).toBe(status.INVALID_ARGUMENT);
  });

  it('an event without metadata names the properties that are required', async () => {
    const error = await new Promise<ServiceError | null>((resolve) => {
      const call = raw.append((failure) => resolve(failure));
      call.write(appendOptions('bare'));
      const bare = appendEvent(randomUUID());
      bare.getProposedMessage()?.clearMetadataMap();
      call.write(bare);
      call.end();
    });

    expect(error?.metadata.getMap()).toMatchObject({
      exception: 'missing-required-metadata-property',
      'required-metadata-properties': 'type,content-type',
    });
  });

  it.each(['close', 'cut'])(
    'a client that goes away in the middle of its events (%s) has appended none of them',
    async (how) => {
      for (let round = 0; round < 10; round++) {
        const stream = `gone-${how}-${round}`;
        const proxy = await openProxy(server.port);
        const leaving = rawClient(proxy.port);
        const call = leaving.append(() => undefined);
        call.on('error', () => undefined);
        call.write(appendOptions(stream));
        call.write(appendEvent(randomUUID()));
        await new Promise((resolve) => call.write(appendEvent(randomUUID()), resolve));
        await sleep(5 * round);
        if (how === 'cut') proxy.cut();
        leaving.close();
        await sleep(20);
        proxy.cut();

        expect(await errorOf(collect(server.client().readStream(stream)))).toMatchObject({
          type: 'stream-not-found',
        });
      }
    },
  );

  it('a client that cancels in the middle of its events has appended what it sent, or nothing', async () => {
    const stream = `cancelled-${randomUUID()}`;
    const call = raw.append(() => undefined);
    call.on('error', () => undefined);
    call.write(appendOptions(stream));
    call.write(appendEvent(randomUUID()));
    await new Promise((resolve) => call.write(appendEvent(randomUUID()), resolve));
    call.cancel();
    await sleep(20);

    expect([0, 2]).toContain((await eventsIn(server.client(), stream)).length);
  });

  it('bytes that are no message at all do no harm', async () => {
    const socket = connect(server.port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.resume();
    socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
    await new Promise((resolve) => socket.on('close', resolve));
    const call = raw.makeUnaryRequest(
      '/event_store.client.streams.Streams/Delete',
      () => Buffer.from([0xff, 0xff, 0xff]),
      () => undefined,
      new AppendReq(),
      () => undefined,
    );

    expect(await new Promise((resolve) => call.on('status', ({ code }) => resolve(code)))).toBe(
      status.INTERNAL,
    );
  });
});
