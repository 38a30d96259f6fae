import { leaseStream, type EventData } from '@writ/contracts';
import { appendSealed } from '../journal/append';
import { readNewest } from '../journal/read';
import { seal } from '../journal/seal';
import { countingEntropy, silentLog, toldClock } from '../testing/edge';
import { LossyStore } from '../testing/lossy-store';
import { Instance } from './instance';

const started: EventData<'InstanceStarted'> = {
  service: 'turn-orchestrator',
  name: 'o1',
  version: '0.0.0',
  host: { name: 'h', bootId: 'b' },
  pid: 1,
  sockets: { process: '/s' },
};
const first = 'turn-orchestrator.o1#0';

/** Everything here answers at once: what has not come after these turns of the event loop waits for something. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 50; turn += 1) await new Promise(setImmediate);
}

describe('an instance', () => {
  it('whose lease another has ended enters again by itself, although it holds nothing any more', async () => {
    const store = new LossyStore();
    const edge = { store, clock: toldClock(), entropy: countingEntropy() };
    let losses = 0;
    const instance = new Instance({
      ...edge,
      log: silentLog,
      crash: { pass: () => undefined },
      probe: { probe: () => Promise.resolve('alive') },
      started,
      ttlMs: 5_000,
      onLost: () => (losses += 1),
      onLeaseEnded: () => undefined,
      onClone: () => undefined,
    });
    instance.start();
    await settle();
    expect(await instance.lease.hold()).toBe(true);
    instance.lease.release();
    expect([instance.lease.instance, instance.readiness()]).toEqual([first, 'ok']);

    const newest = await readNewest(store, leaseStream(first));
    const last = newest.outcome === 'events' ? newest.events[0] : undefined;
    const head = {
      stream: leaseStream(first),
      revision: last?.revision ?? 0,
      lastDigest: last?.metadata.digest ?? null,
    };
    const by = 'turn-orchestrator.o2#0';
    const draft = { type: 'LeaseEnded' as const, data: { instance: first, reason: 'silent' as const, by } };
    const context = {
      actor: { service: 'turn-orchestrator' as const, instance: by },
      correlationId: 'turn-orchestrator.o2',
    };
    await appendSealed(store, seal(edge, head, { drafts: [draft], context }));
    edge.clock.advance(5_000);
    expect(await instance.lease.hold()).toBe(false);
    await settle();
    expect([instance.lease.instance, instance.readiness(), losses]).toEqual([
      'turn-orchestrator.o1#1',
      'ok',
      1,
    ]);
    expect(await instance.lease.hold()).toBe(true);
    await instance.end();
  });
});
