import { createServer, connect, type Socket } from 'node:net';
import { Status } from '@eventstore/db-client/generated/status_pb';
import { BatchAppendResp } from '@eventstore/db-client/generated/streams_pb';
import { UUID } from '@eventstore/db-client/generated/shared_pb';
import type { AppendOutcome } from '@writ/runtime';
import { acknowledged, newEvents, newStream } from '../testing/scene';
import { acknowledgement, readAppend, structured, type StubAppend } from '../testing/stub-messages';
import { listen, startStub, type StubCall, type StubServer } from '../testing/stub-server';
import { systemClock, systemEntropy } from '../testing/system-ports';
import { connectEventStore } from './connect';

/** Milliseconds of one try; long ones show that nobody waited for them. */
const SHORT_MS = 1_000;
const LONG_MS = 20_000;

const timedOut: AppendOutcome = { outcome: 'unknown', cause: 'store_timeout' };
const unavailable: AppendOutcome = { outcome: 'unknown', cause: 'store_unavailable' };

const opened: { close(): Promise<void> }[] = [];
const stubs: StubServer[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((client) => client.close()));
  await Promise.all(stubs.splice(0).map((stub) => stub.stop()));
});

function client(url: string, appendTimeoutMs: number, resolveMs = 0) {
  const store = connectEventStore({
    url,
    appendTimeoutMs,
    resolveMs,
    clock: systemClock,
    entropy: systemEntropy,
  });
  opened.push(store);
  return store;
}

/** A server that does with each append what the test says, in order; later ones are acknowledged. */
async function stubOf(...answers: ((call: StubCall, append: StubAppend) => void)[]): Promise<StubServer> {
  const stub = await startStub((call) => {
    call.onMessage((bytes) => {
      const append = readAppend(bytes);
      const answer = answers.shift() ?? (() => call.send(acknowledgement(append)));
      answer(call, append);
    });
  });
  stubs.push(stub);
  return stub;
}

const silence = (): void => undefined;

describe('appends over a server that misbehaves', () => {
  it('[A6.4] are unknown at once when the server ends their call politely, and go on', async () => {
    const stub = await stubOf(silence, (call) => call.end(0));
    const store = client(stub.url, LONG_MS);
    const outcomes = await Promise.all(
      [1, 2].map(() => store.append(newStream(), 'no_stream', newEvents(1))),
    );
    expect(outcomes).toEqual([unavailable, unavailable]);
    expect(await store.append(newStream(), 'no_stream', newEvents(1))).toMatchObject(acknowledged(0));
  });

  it.each([
    ['CANCELLED, as a server that stops', 1, unavailable],
    ['UNAVAILABLE', 14, unavailable],
    ['ABORTED', 10, timedOut],
    ['DEADLINE_EXCEEDED', 4, timedOut],
    ['INTERNAL', 13, unavailable],
  ])('[A4] are unknown when their call ends with %s, and go on', async (_, status, expected) => {
    const stub = await stubOf((call) => call.end(status));
    const store = client(stub.url, LONG_MS);
    expect(await store.append(newStream(), 'no_stream', newEvents(1))).toEqual(expected);
    expect(await store.append(newStream(), 'no_stream', newEvents(1))).toMatchObject(acknowledged(0));
  });

  it('[A6.5] are unknown when an error says nothing, and nothing is thrown', async () => {
    const stub = await stubOf((call, { correlationId }) =>
      call.send(
        new BatchAppendResp()
          .setCorrelationId(new UUID().setString(correlationId))
          .setError(new Status().setMessage('no details, no stream')),
      ),
    );
    expect(await client(stub.url, LONG_MS).append(newStream(), 'no_stream', newEvents(1))).toEqual(
      unavailable,
    );
  });

  it('[A6.1] are not disturbed by an answer to nobody, or to somebody who has gone', async () => {
    let late: () => void = silence;
    const stub = await stubOf(
      (call, append) => {
        late = () => call.send(acknowledgement(append));
      },
      (call, append) => {
        late();
        call.send(acknowledgement({ ...append, correlationId: systemEntropy.uuid() }));
        call.send(new BatchAppendResp());
        call.send(acknowledgement(append));
      },
    );
    const store = client(stub.url, SHORT_MS);
    expect(await store.append(newStream(), 'no_stream', newEvents(1))).toEqual(timedOut);
    expect(await store.append(newStream(), 'no_stream', newEvents(1))).toMatchObject(acknowledged(0));
  });

  it('[A2] are matched by ids that come back as numbers', async () => {
    const stub = await stubOf((call, append) =>
      call.send(acknowledgement(append).setCorrelationId(structured(append.correlationId))),
    );
    expect(await client(stub.url, LONG_MS).append(newStream(), 'no_stream', newEvents(3))).toMatchObject(
      acknowledged(2),
    );
  });

  it('[A6.1] of one client do not know of another whose connection breaks', async () => {
    const healthy: (() => void)[] = [];
    const [broken, whole] = [
      await stubOf((call) => call.end(14)),
      await stubOf((call, append) => healthy.push(() => call.send(acknowledgement(append)))),
    ];
    const waiting = client(whole.url, LONG_MS).append(newStream(), 'no_stream', newEvents(1));
    expect(await client(broken.url, LONG_MS).append(newStream(), 'no_stream', newEvents(1))).toEqual(
      unavailable,
    );
    broken.disconnect();
    while (healthy.length === 0) await systemClock.sleep(1);
    healthy[0]?.();
    expect(await waiting).toMatchObject(acknowledged(0));
  });

  it('[A6.2] leave a connection that answers nobody for another', async () => {
    const connections: number[] = [];
    const stub = await stubOf((call) => connections.push(call.connection));
    const store = client(stub.url, SHORT_MS, LONG_MS);
    expect(await store.append(newStream(), 'no_stream', newEvents(1))).toMatchObject(acknowledged(0, true));
    expect(stub.connections).toBe(2);
  });

  it('[A6.2] stay on a connection that answers others', async () => {
    const stub = await stubOf(silence);
    const store = client(stub.url, SHORT_MS);
    const lost = store.append(newStream(), 'no_stream', newEvents(1));
    expect(await store.append(newStream(), 'no_stream', newEvents(1))).toMatchObject(acknowledged(0));
    expect(await lost).toEqual(timedOut);
    expect(await store.append(newStream(), 'no_stream', newEvents(1))).toMatchObject(acknowledged(0));
    expect(stub.connections).toBe(1);
  });

  it('[A6.3] are unknown in time when nobody speaks HTTP/2 behind the port, and work when somebody does', async () => {
    const stub = await stubOf();
    const sockets: Socket[] = [];
    opened.push({ close: async () => sockets.forEach((socket) => socket.destroy()) });
    const mute = createServer((socket) => {
      sockets.push(socket);
      if (sockets.length <= 2) return;
      const onwards = connect(stub.port, '127.0.0.1');
      sockets.push(onwards);
      socket.on('error', silence).pipe(onwards).on('error', silence).pipe(socket);
    });
    const port = await listen(mute);
    mute.unref();
    const store = client(`esdb://127.0.0.1:${port}?tls=false`, SHORT_MS);
    for (let time = 0; time < 2; time += 1)
      expect(await store.append(newStream(), 'no_stream', newEvents(1))).toEqual(timedOut);
    expect(await store.append(newStream(), 'no_stream', newEvents(1))).toMatchObject(acknowledged(0));
  });

  it('[A4] follow a follower’s word to the leader', async () => {
    const leader = await stubOf();
    const follower = await startStub((call) =>
      call.onMessage(() =>
        call.end(5, {
          exception: 'not-leader',
          'leader-endpoint-host': '127.0.0.1',
          'leader-endpoint-port': String(leader.port),
        }),
      ),
    );
    stubs.push(follower);
    const store = client(follower.url, LONG_MS, LONG_MS);
    expect(await store.append(newStream(), 'no_stream', newEvents(1))).toMatchObject(acknowledged(0, true));
  });

  it('[A6] end nobody’s process when an error is not even as the client expects it', async () => {
    const unhandled = jest.fn();
    process.on('unhandledRejection', unhandled);
    const stub = await stubOf((call) => call.end(5, { exception: 'not-leader' }));
    const store = client(stub.url, LONG_MS);
    expect(await store.append(newStream(), 'no_stream', newEvents(1))).toEqual(unavailable);
    await systemClock.sleep(10);
    process.off('unhandledRejection', unhandled);
    expect(unhandled).not.toHaveBeenCalled();
  });

  it('[A5] are unavailable while nobody listens, at once', async () => {
    const stub = await stubOf();
    await stub.stop();
    stubs.length = 0;
    expect(await client(stub.url, LONG_MS).append(newStream(), 'no_stream', newEvents(1))).toEqual(
      unavailable,
    );
  });

  it('say that they want the leader', async () => {
    const wanted: unknown[] = [];
    const stub = await stubOf((call, append) => {
      wanted.push(call.headers['requires-leader']);
      call.send(acknowledgement(append));
    });
    await client(stub.url, LONG_MS).append(newStream(), 'no_stream', newEvents(1));
    expect(wanted).toEqual(['true']);
  });

  it('do not begin with a URL that is none, and do not repeat its password', () => {
    const connecting = () => client('https://me:secret-of-mine@host', LONG_MS);
    expect(connecting).toThrow(TypeError);
    expect(connecting).not.toThrow(/secret-of-mine/);
  });
});
