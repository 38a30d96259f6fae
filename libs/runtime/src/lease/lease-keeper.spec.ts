import { leaseStream, type EventData } from '@writ/contracts';
import { appendSealed } from '../journal/append';
import { readNewest } from '../journal/read';
import { seal } from '../journal/seal';
import { countingEntropy, silentLog, toldClock } from '../testing/edge';
import { LossyStore } from '../testing/lossy-store';
import { LeaseKeeper } from './lease-keeper';

const ttlMs = 5_000;
const started: EventData<'InstanceStarted'> = {
  service: 'tool-executor',
  name: 'e1',
  version: '0.0.0',
  host: { name: 'h', bootId: 'b' },
  pid: 1,
  sockets: { process: '/s' },
};
const instance = 'tool-executor.e1#0';
const stream = leaseStream(instance);

async function keeperAtWork() {
  const store = new LossyStore();
  const clock = toldClock();
  const entropy = countingEntropy();
  let losses = 0;
  const edge = { store, clock, entropy, log: silentLog };
  const keeper = new LeaseKeeper({ ...edge, started, ttlMs, onLost: () => (losses += 1) });
  await keeper.begin();
  expect(await keeper.hold()).toBe(true);
  keeper.release();
  /** Past the moment until which the last renewal lets it act. */
  const lapse = () => clock.advance(ttlMs);
  return { store, clock, edge, keeper, lapse, losses: () => losses };
}

describe('the keeper of a lease', () => {
  it('finds a renewal of its own that was stored unheard, and goes on under the same lease', async () => {
    const { store, keeper, lapse } = await keeperAtWork();
    lapse();
    store.next.push('unheard');
    expect(await keeper.hold()).toBe(true);
    expect(keeper.instance).toBe(instance);
    expect(store.types(stream)).toEqual(['LeaseRenewed', 'LeaseRenewed', 'LeaseRenewed']);
  });

  it('does not take its own renewal, come late from a store that was frozen, for the end of its lease', async () => {
    const { store, keeper, lapse, losses } = await keeperAtWork();
    lapse();
    store.next.push('late');
    expect(await keeper.hold()).toBe(false);
    store.arrive();
    const before = losses();
    expect(await keeper.hold()).toBe(true);
    expect(keeper.instance).toBe(instance);
    expect(losses()).toBe(before);
  });

  it('knows nothing of its lease while the store cannot be read, and so does not lose it', async () => {
    const { store, keeper, lapse } = await keeperAtWork();
    lapse();
    store.next.push('unheard');
    store.away = true;
    expect(await keeper.hold()).toBe(false);
    expect(keeper.instance).toBe(instance);
    store.away = false;
    expect(await keeper.hold()).toBe(true);
  });

  it('renews a lease that is about to lapse before anything is taken under it', async () => {
    const { store, clock, keeper } = await keeperAtWork();
    clock.advance(0.79 * ttlMs);
    expect(keeper.mayAct()).toBe(true);
    expect(await keeper.hold()).toBe(true);
    expect(store.types(stream)).toEqual(['LeaseRenewed', 'LeaseRenewed']);
    expect(keeper.aliveUntil()).toBe(clock.monotonicMs() + 0.8 * ttlMs);
    expect(await keeper.hold()).toBe(true);
    expect(store.types(stream)).toHaveLength(2);
  });

  it('takes nothing under a lease that is about to lapse and cannot be renewed', async () => {
    const { store, clock, keeper } = await keeperAtWork();
    clock.advance(0.79 * ttlMs);
    store.next.push('lost');
    expect(await keeper.hold()).toBe(false);
    expect(await keeper.hold()).toBe(true);
  });

  it('has lapsed while it holds something that it could not renew for, and only then', async () => {
    const { store, keeper, lapse, losses } = await keeperAtWork();
    lapse();
    expect(keeper.lapsed).toBe(false);
    expect(await keeper.hold()).toBe(true);
    expect(keeper.lapsed).toBe(false);
    lapse();
    expect(keeper.lapsed).toBe(true);
    store.next.push('lost');
    expect(await keeper.hold()).toBe(false);
    expect(losses()).toBe(1);
    expect(await keeper.hold()).toBe(true);
    expect(keeper.lapsed).toBe(false);
  });

  it('has lost a lease that another has ended, and says so once', async () => {
    const { edge, keeper, lapse, losses } = await keeperAtWork();
    lapse();
    const newest = await readNewest(edge.store, stream);
    const last = newest.outcome === 'events' ? newest.events[0] : undefined;
    const head = { stream, revision: last?.revision ?? 0, lastDigest: last?.metadata.digest ?? null };
    const by = 'turn-orchestrator.o1#0';
    const data = { instance, reason: 'silent' as const, by };
    const context = {
      actor: { service: 'turn-orchestrator' as const, instance: by },
      correlationId: 'turn-orchestrator.o1',
    };
    await appendSealed(edge.store, seal(edge, head, { drafts: [{ type: 'LeaseEnded', data }], context }));
    expect(await keeper.hold()).toBe(false);
    expect(keeper.instance).toBeUndefined();
    expect(losses()).toBe(1);
  });
});
