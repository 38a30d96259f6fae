import { createServer } from 'node:net';
import type { Clock, Entropy } from '@writ/runtime';
import { RETRY_FIRST_MS, RETRY_MAX_MS } from '../limits';
import type { ObservedBus } from '../observed-bus';
import { POOL, startWorker, wakeOf } from '../testing/bus-world';
import { realEntropy, recordLog, timerClock } from '../testing/test-ports';
import { WatchedNats } from '../testing/watched-nats';
import { connectBus } from './connect-bus';

jest.setTimeout(60_000);

const opened: { close(): Promise<void> }[] = [];
afterEach(() => Promise.all(opened.splice(0).map((each) => each.close())));

interface Ports {
  readonly clock: Clock;
  readonly entropy?: Entropy;
}
function busAt(url: string, { clock, entropy = realEntropy }: Ports): ObservedBus {
  const bus = connectBus({ url, name: 'reconnects', log: recordLog(), clock, entropy });
  opened.push(bus);
  return bus;
}

async function eventually(words: string, check: () => boolean | Promise<boolean>): Promise<void> {
  const until = performance.now() + 15_000;
  while (!(await check())) {
    if (performance.now() > until) throw new Error(`never: ${words}`);
    await timerClock.sleep(5);
  }
}

describe('the waits between attempts to reach the broker', () => {
  /** The first ten waits of a bus whose every draw is `chance`, while nobody listens; none is really waited for. */
  async function waitsOf(chance: number): Promise<number[]> {
    const free = createServer();
    await new Promise<void>((resolve) => free.listen(0, '127.0.0.1', resolve));
    const address = free.address();
    const port = address !== null && typeof address === 'object' ? address.port : 0;
    await new Promise((resolve) => free.close(resolve));
    const waits: number[] = [];
    const clock: Clock = {
      ...timerClock,
      sleep: (ms, signal) => {
        waits.push(ms);
        return timerClock.sleep(1, signal);
      },
    };
    busAt(`nats://127.0.0.1:${port}`, { clock, entropy: { ...realEntropy, random: () => chance } });
    await eventually('ten attempts', () => waits.length >= 10);
    return waits.slice(0, 10);
  }

  it('grow up to a bound, and half of each is chance: many that lost one broker do not return together', async () => {
    const [soon, middle, late] = [await waitsOf(0), await waitsOf(0.5), await waitsOf(0.999)];
    soon.forEach((least, index) => {
      const most = late[index] ?? 0;
      expect(most).toBeGreaterThan(1.9 * least);
      expect(middle[index]).toBeGreaterThan(least);
      expect(middle[index]).toBeLessThan(most);
      expect(most).toBeLessThanOrEqual(RETRY_MAX_MS);
      expect(least).toBeGreaterThanOrEqual(RETRY_FIRST_MS / 2);
    });
    expect(late.at(-1)).toBeGreaterThan(10 * (late[0] ?? 0));
  });
});

describe('after many lost connections', () => {
  it('the broker holds one connection of a bus, and on it each subject once', async () => {
    const broker = await WatchedNats.start();
    opened.push({ close: () => broker.stop() });
    /** Waits of seconds are over soon, so that twelve reconnects fit into a test. */
    const clock: Clock = {
      ...timerClock,
      sleep: (ms, signal) => timerClock.sleep(Math.min(ms, 20), signal),
    };
    const bus = busAt(broker.url, { clock });
    const heard = { notices: 0, cancels: 0 };
    bus.onNotice(() => (heard.notices += 1));
    bus.onCancel(() => (heard.cancels += 1));
    const worker = startWorker(bus);
    await eventually('connected', () => bus.connected());
    for (let lost = 0; lost < 12; lost += 1) {
      const [before] = await broker.connections('reconnects');
      broker.cut();
      await eventually('another connection', async () => {
        const now = await broker.connections('reconnects');
        return now.length > 0 && now.every(({ cid }) => cid !== before?.cid) && bus.connected();
      });
    }
    const connections = await broker.connections('reconnects');
    expect(connections).toHaveLength(1);
    const subjects = connections.flatMap(({ subjects: each }) => each);
    const ours = subjects.filter((subject) => !subject.startsWith('_INBOX.'));
    expect(ours.toSorted()).toEqual(['writ.cancel.*', 'writ.notice.*']);
    // One inbox for requests and one for each pull that waits: bounded, however often it was connected.
    expect(subjects.length - ours.length).toBeLessThanOrEqual(4);
    bus.notice({ version: 1, sessionId: 's-1', callId: 'call-1', revision: 1 });
    bus.cancel({ version: 1, callId: 'call-1', reason: 'interrupt' });
    expect(await bus.wakeExecutor(POOL, wakeOf('call-1'))).toBe('published');
    await eventually('heard', () => heard.notices > 0 && heard.cancels > 0 && worker.seen.length > 0);
    await timerClock.sleep(100);
    expect(heard).toEqual({ notices: 1, cancels: 1 });
    expect(worker.seen).toEqual(['call-1']);
  });
});
