import type { Clock, Entropy } from '@writ/runtime';
import { eventually, follow, newEvents, newStream } from '../testing/scene';
import { startStub, type StubServer } from '../testing/stub-server';
import { systemClock, systemEntropy } from '../testing/system-ports';
import { connectEventStore } from './connect';

const opened: { close(): Promise<void> }[] = [];
const stubs: StubServer[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((client) => client.close()));
  await Promise.all(stubs.splice(0).map((stub) => stub.stop()));
});

/** How often a case looks at a wait. */
const looks = 5;
/** Longer than any wait between attempts: what sleeps longer is a bound. */
const resolveMs = 60_000;

/**
 * A client whose every draw is `chance`, at a server that is never ready: each wait between its attempts is noted, and
 * is over at once.
 */
async function impatient(chance: number) {
  const stub = await startStub((call) => call.onMessage(() => call.end(14)));
  stubs.push(stub);
  const waits: number[] = [];
  const clock: Clock = {
    ...systemClock,
    sleep: (ms, signal) => {
      if (ms > 5_000) return systemClock.sleep(ms, signal);
      waits.push(ms);
      return systemClock.sleep(1, signal);
    },
  };
  const entropy: Entropy = { ...systemEntropy, random: () => chance };
  const store = connectEventStore({ url: stub.url, appendTimeoutMs: 20_000, resolveMs, clock, entropy });
  opened.push(store);
  return { store, waits: () => eventually(() => waits.length >= looks, 'waits').then(() => waits) };
}

type Client = Awaited<ReturnType<typeof impatient>>['store'];

/** Many that lost one store at the same moment must not come back at the same moment. */
describe('the waits of a client whose store is away', () => {
  it.each([
    ['following', (store: Client) => void follow(store, { of: { stream: newStream() }, after: 'start' })],
    [
      'an append that is repeated',
      (store: Client) => void store.append(newStream(), 'no_stream', newEvents(1)),
    ],
  ])('are half chance: %s', async (_what, begin) => {
    const [soon, late] = [await impatient(0), await impatient(0.999)];
    begin(soon.store);
    begin(late.store);
    const [least, most] = [await soon.waits(), await late.waits()];
    for (let index = 0; index < looks; index += 1)
      expect(most[index]).toBeGreaterThan(1.9 * (least[index] ?? Infinity));
    expect(most[looks - 1]).toBeGreaterThan(4 * (most[0] ?? Infinity));
  });
});
