import { ReadResp } from '@eventstore/db-client/generated/streams_pb';
import { eventually, newStream } from '../testing/scene';
import { endMark, eventMessage, type StubEvent } from '../testing/stub-messages';
import { startStub, type StubCall, type StubServer } from '../testing/stub-server';
import { systemClock, systemEntropy } from '../testing/system-ports';
import { connectEventStore } from './connect';

const SHORT_MS = 300;
const LONG_MS = 20_000;
const opened: { close(): Promise<void> }[] = [];
const stubs: StubServer[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((client) => client.close()));
  await Promise.all(stubs.splice(0).map((stub) => stub.stop()));
});

const stream = newStream();
const incomplete = { outcome: 'unavailable', cause: 'store_unavailable' };

/** A client of a server that answers each read as the test says, in order; the last answer stands for all later ones. */
async function reading(answers: ((call: StubCall) => void)[], appendTimeoutMs = LONG_MS) {
  const left = [...answers];
  const stub = await startStub((call) =>
    call.onMessage(() => (left.length > 1 ? left.shift() : left[0])?.(call)),
  );
  stubs.push(stub);
  const store = connectEventStore({
    url: stub.url,
    appendTimeoutMs,
    resolveMs: 0,
    clock: systemClock,
    entropy: systemEntropy,
  });
  opened.push(store);
  return { store, stub };
}

/** Sends these events and ends politely, with a mark that the page is whole or without one. */
const page =
  (events: Omit<StubEvent, 'stream'>[], isMarked = false) =>
  (call: StubCall): void => {
    for (const event of events) call.send(eventMessage({ stream, ...event }));
    if (isMarked) call.send(endMark(events.at(-1)?.revision ?? 0));
    call.end(0);
  };
const revisions = (...all: number[]) => all.map((revision) => ({ revision }));
const forwards = { direction: 'forwards', from: 'start', maxCount: 10 } as const;

describe('reads from a server that misbehaves', () => {
  it.each([
    ['leave out a revision', revisions(0, 1, 3), forwards],
    ['repeat a revision', revisions(0, 1, 1), forwards],
    ['begin too early', revisions(3, 4), { ...forwards, from: 4 }],
    ['run the wrong way', revisions(0, 1), { direction: 'backwards', from: 'end', maxCount: 10 }],
    ['begin too late, backwards', revisions(5, 4), { direction: 'backwards', from: 4, maxCount: 10 }],
  ] as const)('[A6.7] are unavailable, not short, when they %s', async (_, events, options) => {
    const { store } = await reading([page([...events])]);
    expect(await store.readStream(stream, options)).toEqual(incomplete);
  });

  it('[C3] may begin later than asked for, as a cap makes them', async () => {
    const { store } = await reading([page(revisions(4, 5))]);
    expect(await store.readStream(stream, { ...forwards, from: 1 })).toMatchObject({ outcome: 'events' });
  });

  it('[A6.7] are unavailable when a server that marks ends has not marked this one', async () => {
    const { store } = await reading([
      page(revisions(0, 1), true),
      page(revisions(0)),
      page([]),
      page(revisions(0, 1), true),
    ]);
    expect(await store.readStream(stream, forwards)).toMatchObject({ outcome: 'events' });
    expect(await store.readStream(stream, forwards)).toEqual(incomplete);
    expect(await store.readStream(stream, forwards)).toEqual(incomplete);
    expect(await store.readStream(stream, forwards)).toMatchObject({ outcome: 'events' });
  });

  it('[A6.3] are unavailable when the server is silent, and are made again on another connection', async () => {
    const { store, stub } = await reading([() => undefined, page(revisions(0))], SHORT_MS);
    expect(await store.readStream(stream, forwards)).toEqual({
      outcome: 'unavailable',
      cause: 'store_timeout',
    });
    await eventually(
      async () => (await store.readStream(stream, forwards)).outcome === 'events',
      'the stream read',
    );
    expect(stub.connections).toBeGreaterThan(1);
  });

  it('[A6.3] are unavailable when the server falls silent between two events', async () => {
    const { store } = await reading([(call) => call.send(eventMessage({ stream, revision: 0 }))], SHORT_MS);
    expect(await store.readStream(stream, forwards)).toEqual({
      outcome: 'unavailable',
      cause: 'store_timeout',
    });
  });

  it('may take longer than their time as long as events keep coming', async () => {
    const slow = async (call: StubCall): Promise<void> => {
      for (let revision = 0; revision < 5; revision += 1) {
        call.send(eventMessage({ stream, revision }));
        await systemClock.sleep(600);
      }
      call.end(0);
    };
    const { store } = await reading([(call) => void slow(call)], 2_000);
    expect(await store.readStream(stream, forwards)).toMatchObject({ events: revisions(0, 1, 2, 3, 4) });
  });

  it.each([
    ['without a log position', { revision: 0, position: '18446744073709551615' }],
    ['with a revision that a number cannot hold', { revision: 2 ** 60 }],
    ['without an event', undefined],
  ])('[A2] are unavailable when they bring an event %s', async (_, event) => {
    const bring = (call: StubCall) => {
      call.send(
        event ? eventMessage({ stream, ...event }) : new ReadResp().setEvent(new ReadResp.ReadEvent()),
      );
      call.end(0);
    };
    const { store } = await reading([bring]);
    expect(await store.readStream(stream, forwards)).toEqual(incomplete);
  });

  it.each([
    ['is no JSON by its content type', { contentType: 'application/octet-stream' }],
    ['only claims to be JSON', { data: '{"a":' }],
  ])('[C2] hand out an event whose data %s without data', async (_, how) => {
    const { store } = await reading([page([{ revision: 0, ...how }])]);
    const read = await store.readStream(stream, forwards);
    expect(read).toMatchObject({ outcome: 'events', events: [{ revision: 0, type: 'TurnStarted' }] });
    expect(read.outcome === 'events' && read.events[0]?.data).toBeUndefined();
  });

  it.each([
    ['ABORTED', 10, 'store_timeout'],
    ['UNAVAILABLE', 14, 'store_unavailable'],
    ['CANCELLED', 1, 'store_unavailable'],
    ['FAILED_PRECONDITION', 9, 'store_unavailable'],
  ])('[A4] are unavailable after %s', async (_, status, cause) => {
    const { store } = await reading([(call) => call.end(status)]);
    expect(await store.readStream(stream, forwards)).toEqual({ outcome: 'unavailable', cause });
    expect(await store.ping()).toBe(false);
  });
});
