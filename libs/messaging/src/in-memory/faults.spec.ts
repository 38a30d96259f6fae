import { recordLog, timerClock } from '../testing';
import { startWorker, POOL, wakeOf } from '../testing/bus-world';
import { createInMemoryBroker } from './broker';
import { noFaults, type BrokerFaults, type CommandFate } from './faults';

const ordinary: CommandFate = { copies: 1, delayMs: 0, told: 'published' };

function open(faults: Partial<BrokerFaults>) {
  const broker = createInMemoryBroker({ clock: timerClock, faults: { ...noFaults, ...faults } });
  return broker.connect({ log: recordLog() });
}

describe('a disturbed broker in memory', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());
  const pass = (ms: number) => jest.advanceTimersByTimeAsync(ms);

  it('loses a wake that it said it took', async () => {
    const bus = open({ command: () => ({ ...ordinary, copies: 0 }) });
    const worker = startWorker(bus);
    expect(await bus.wakeExecutor(POOL, wakeOf('call-1'))).toBe('published');
    await pass(1_000);
    expect(worker.seen).toEqual([]);
  });

  it('doubles a wake', async () => {
    const bus = open({ command: () => ({ ...ordinary, copies: 2 }) });
    const worker = startWorker(bus);
    await bus.wakeExecutor(POOL, wakeOf('call-1'));
    await pass(1);
    expect(worker.seen).toEqual(['call-1', 'call-1']);
  });

  it('reorders wakes by delaying one of them', async () => {
    const delays = [500, 0];
    const bus = open({ command: () => ({ ...ordinary, delayMs: delays.shift() ?? 0 }) });
    const worker = startWorker(bus);
    await bus.wakeExecutor(POOL, wakeOf('first'));
    await bus.wakeExecutor(POOL, wakeOf('second'));
    await pass(1_000);
    expect(worker.seen).toEqual(['second', 'first']);
  });

  it('says unknown of a wake that it took, after the deadline', async () => {
    const bus = open({ command: () => ({ ...ordinary, told: 'unknown' }) });
    const worker = startWorker(bus);
    const outcome = bus.wakeExecutor(POOL, wakeOf('call-1'));
    await pass(2_000);
    expect(await outcome).toBe('unknown');
    expect(worker.seen).toEqual(['call-1']);
  });

  it('loses and doubles hints', async () => {
    const copies = [0, 2];
    const bus = open({ hint: () => ({ copies: copies.shift() ?? 1, delayMs: 0 }) });
    const heard: string[] = [];
    bus.onCancel(({ callId }) => heard.push(callId));
    bus.cancel({ version: 1, callId: 'lost', reason: 'interrupt' });
    bus.cancel({ version: 1, callId: 'twice', reason: 'interrupt' });
    await pass(1);
    expect(heard).toEqual(['twice', 'twice']);
  });
});
