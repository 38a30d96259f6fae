import { InMemoryLog } from '@writ/event-store';
import { openDisk } from './disk';
import { entropyOf, Random } from './random';
import { Scheduler } from './scheduler';
import { SimProcess } from './sim-process';
import { Faults, noSwarm } from './swarm';

function scene() {
  const scheduler = new Scheduler();
  const process = new SimProcess({
    ...{ scheduler, label: 'exe-1/1', host: 'host-1', pid: 1, skewMs: 0, monotonicFromMs: 0 },
  });
  const random = new Random(1, 'zombie');
  const log = new InMemoryLog();
  const faults = new Faults(noSwarm, random);
  const lost: string[] = [];
  const options = { log, scheduler, faults, process, entropy: entropyOf(random) };
  const disk = openDisk({ ...options, lost: (type) => void lost.push(type) });
  return { scheduler, process, log, disk, lost };
}

const event = (id: string) => ({
  id: `00000000-0000-4000-8000-00000000000${id}`,
  type: 'LeaseRenewed' as const,
  data: {},
  metadata: {},
});

jest.setTimeout(60_000);

describe('a process that stands still at a point of its code', () => {
  it('sends what its code goes on to ask only when it wakes', async () => {
    const { scheduler, process, log, disk } = scene();
    process.freeze();
    const appending = disk.store.append('lease-a', 'no_stream', [event('1')]);
    await scheduler.run(() => false, 1_000);
    expect(log.events).toHaveLength(0);
    process.thaw();
    await scheduler.run(() => false, 2_000);
    await expect(appending).resolves.toMatchObject({ outcome: 'acknowledged' });
  });

  it('is counted as the loser of a race only against another', async () => {
    const { scheduler, log, disk, lost } = scene();
    void disk.store.append('lease-a', 'no_stream', [event('1')]);
    await scheduler.run(() => log.events.length > 0, 1_000);
    void disk.store.append('lease-a', 'no_stream', [event('1')]);
    await scheduler.run(() => false, 2_000);
    expect(lost).toEqual([]);
    void disk.store.append('lease-a', 'no_stream', [event('2')]);
    await scheduler.run(() => lost.length > 0, 3_000);
    expect(lost).toEqual(['LeaseRenewed']);
  });
});
