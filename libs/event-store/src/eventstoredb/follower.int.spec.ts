import type { Clock } from '@writ/runtime';
import { ReadResp } from '@eventstore/db-client/generated/streams_pb';
import { eventually, follow, newStream } from '../testing/scene';
import { hastyClock } from '../testing/hasty-clock';
import { caughtUp, confirmation, eventMessage, readRead } from '../testing/stub-messages';
import { startStub, type StubCall, type StubServer } from '../testing/stub-server';
import { systemClock, systemEntropy } from '../testing/system-ports';
import { connectEventStore } from './connect';

/** The watch over silence waits for seconds; here they are short. */
const clock = hastyClock(20);
/** Milliseconds, before they are shortened: two seconds. */
const TIMEOUT_MS = 40_000;

const opened: { close(): Promise<void> }[] = [];
const stubs: StubServer[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((client) => client.close()));
  await Promise.all(stubs.splice(0).map((stub) => stub.stop()));
});

const stream = newStream();

/** A server whose subscriptions and reads go as the test says, in order; the last of each stands for all later ones. */
async function following(
  subscriptions: ((call: StubCall, from: string) => void)[],
  read: (call: StubCall, from: string) => void = (call) => call.end(0),
  time: Clock = clock,
) {
  const left = [...subscriptions];
  const froms: string[] = [];
  const stub = await startStub((call) =>
    call.onMessage((bytes) => {
      const { isSubscription, from } = readRead(bytes);
      if (!isSubscription) return read(call, from);
      froms.push(from);
      return (left.length > 1 ? left.shift() : left[0])?.(call, from);
    }),
  );
  stubs.push(stub);
  const store = connectEventStore({
    url: stub.url,
    appendTimeoutMs: TIMEOUT_MS,
    resolveMs: 0,
    clock: time,
    entropy: systemEntropy,
  });
  opened.push(store);
  return { store, stub, froms };
}

const events =
  (...revisions: number[]) =>
  (call: StubCall): void => {
    call.send(confirmation());
    for (const revision of revisions) call.send(eventMessage({ stream, revision }));
  };
const idle = (call: StubCall): void => {
  call.send(confirmation());
  call.send(caughtUp());
};

describe('a follower of a server that misbehaves', () => {
  it.each([
    ['is dropped as too slow', (call: StubCall) => call.end(10)],
    ['loses its server', (call: StubCall) => call.end(14)],
    ['is cancelled by a server that stops', (call: StubCall) => call.end(1)],
    ['is ended politely', (call: StubCall) => call.end(0)],
  ])('[C5] subscribes again behind the last event when it %s', async (_, end) => {
    const dropped = (call: StubCall) => {
      events(0, 1)(call);
      end(call);
    };
    const { store, froms } = await following([dropped, events(2)]);
    const notes = follow(store, { of: { stream }, after: 'start' });
    await notes.has(3);
    expect(notes.events.map(({ revision }) => revision)).toEqual([0, 1, 2]);
    expect(froms).toEqual(['start', '1']);
    expect(notes.said).toEqual(['down', 'back']);
  });

  it('[A3] notices a subscription that keeps quiet about an event, and subscribes again', async () => {
    const { store, froms } = await following([idle, events(0)], (call) => {
      call.send(eventMessage({ stream, revision: 0 }));
      call.end(0);
    });
    const notes = follow(store, { of: { stream }, after: 'start' });
    await notes.has(1);
    expect(froms).toEqual(['start', 'start']);
    expect(notes.said).toEqual(['caught_up', 'down', 'back']);
  });

  it('[A3] notices a server that does not even answer reads', async () => {
    const { store } = await following([idle], () => undefined);
    const notes = follow(store, { of: { stream }, after: 'start' });
    await eventually(() => notes.said.includes('down'), 'silence noticed');
  });

  it('[A3] notices a subscription that is never confirmed', async () => {
    const { store } = await following([() => undefined, events(0)]);
    const notes = follow(store, { of: { stream }, after: 'start' });
    await notes.has(1);
    expect(notes.said).toEqual(['down', 'back']);
  });

  it('[A3] does not take quiet for silence', async () => {
    let reads = 0;
    const { store, froms } = await following([idle], (call) => {
      reads += 1;
      call.end(0);
    });
    const notes = follow(store, { of: { stream }, after: 'start' });
    await eventually(() => reads >= 5, 'checked five times');
    expect(froms).toEqual(['start']);
    expect(notes.said).toEqual(['caught_up']);
  });

  it('[A3] has caught up once a check finds nothing, where the server never says so', async () => {
    const { store } = await following([events(0)]);
    const notes = follow(store, { of: { stream }, after: 'start' });
    await notes.caughtUp();
    expect(notes.events).toHaveLength(1);
  });

  it('[A3] has handled what came before a checkpoint before it tells of it', async () => {
    const order: string[] = [];
    const { store } = await following([
      (call) => {
        events(1, 2)(call);
        const checkpoint = new ReadResp.Checkpoint().setCommitPosition('250').setPreparePosition('250');
        call.send(new ReadResp().setCheckpoint(checkpoint));
        call.send(caughtUp());
      },
    ]);
    const one = store.follow({
      of: { prefixes: [stream] },
      after: 'start',
      onEvent: async ({ revision }) => {
        await clock.sleep(500);
        order.push(`event ${revision}`);
      },
      onCheckpoint: (position) => {
        order.push(`checkpoint ${position}`);
      },
      onCaughtUp: () => order.push('caught up'),
    });
    await eventually(() => order.length === 4, 'everything told');
    expect(order).toEqual(['event 1', 'event 2', 'checkpoint 250', 'caught up']);
    await one.close();
  });

  it('[A3] resumes prefixes from a checkpoint that no event brought', async () => {
    const quiet = (call: StubCall) => {
      call.send(confirmation());
      const checkpoint = new ReadResp.Checkpoint().setCommitPosition('900').setPreparePosition('900');
      call.send(new ReadResp().setCheckpoint(checkpoint));
      call.end(14);
    };
    const { store, froms } = await following([quiet, idle]);
    const notes = follow(store, { of: { prefixes: [stream] }, after: '100' });
    await notes.caughtUp();
    expect(froms).toEqual(['100', '900']);
  });

  it.each([
    ['of a stream', { stream }, '7'],
    ['of the log', { prefixes: [stream] }, '700'],
  ])(
    '[A3] begins at the end %s that there was when it was asked, though its first subscription fails',
    async (_, of, end) => {
      const { store, froms } = await following([(call) => call.end(14), events(8)], (call) => {
        call.send(eventMessage({ stream, revision: 7 }));
        call.end(0);
      });
      const notes = follow(store, { of, after: 'end' });
      await notes.has(1);
      expect(froms).toEqual([end, end]);
    },
  );

  it('[A3] leaves out what it has already delivered, and what nobody asked for', async () => {
    const { store } = await following([
      (call) => {
        events(0, 1, 1, 0)(call);
        call.send(eventMessage({ stream: 'session-other', revision: 5 }));
        call.send(eventMessage({ stream, revision: 2 }));
      },
    ]);
    const notes = follow(store, { of: { stream }, after: 'start' });
    await notes.has(3);
    expect(notes.events.map(({ revision }) => revision)).toEqual([0, 1, 2]);
  });

  it('does not wait for a server that is not there when it is closed', async () => {
    const { store, stub } = await following([idle]);
    await stub.stop();
    stubs.length = 0;
    const notes = follow(store, { of: { stream }, after: 'start' });
    await eventually(() => notes.said.includes('down'), 'down');
    await notes.close();
  });

  it('[A6.6] takes another connection than appends and reads, and one more for every fifty', async () => {
    const { store, stub } = await following([idle], undefined, systemClock);
    await store.ping();
    expect(stub.connections).toBe(1);
    const many = Array.from({ length: 101 }, () => follow(store, { of: { stream }, after: 'start' }));
    await Promise.all(many.map((notes) => notes.caughtUp()));
    expect(stub.connections).toBe(4);
  });
});
