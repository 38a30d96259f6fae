import { instanceStream, leaseStream, type EventData, type NewEvent } from '@writ/contracts';
import { appendSealed } from '../journal/append';
import { readNewest } from '../journal/read';
import { seal } from '../journal/seal';
import type { EventStore, FollowOptions, Liveness } from '../ports';
import { countingEntropy, silentLog, toldClock } from '../testing/edge';
import { LossyStore } from '../testing/lossy-store';
import { LeaseWatch } from './lease-watch';

const holder = 'tool-executor.e1#0';
const stream = leaseStream(holder);
const started: EventData<'InstanceStarted'> = {
  service: 'tool-executor',
  name: 'e1',
  version: '0.0.0',
  host: { name: 'h', bootId: 'b' },
  pid: 1,
  sockets: { process: '/s' },
};
const context = { actor: { service: 'tool-executor' as const }, correlationId: holder };

/** Everything here answers at once: what has not come after these turns of the event loop waits for something. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
}

/** A watch whose rounds, probes and deliveries come when the spec says. */
async function watchOfHolder() {
  const memory = new LossyStore();
  const sleeping: (() => void)[] = [];
  const clock = { ...toldClock(), sleep: () => new Promise<void>((resolve) => sleeping.push(resolve)) };
  const entropy = countingEntropy();
  const probes: ((found: Liveness) => void)[] = [];
  let follow: FollowOptions | undefined;
  const store: EventStore = Object.assign(memory, {
    follow: (options: FollowOptions) => {
      follow = options;
      options.onCaughtUp?.();
      return { close: () => Promise.resolve() };
    },
  });

  async function write(to: string, draft: NewEvent): Promise<void> {
    const newest = await readNewest(store, to);
    const last = newest.outcome === 'events' ? newest.events[0] : undefined;
    const head = {
      stream: to,
      revision: last?.revision ?? ('no_stream' as const),
      lastDigest: last?.metadata.digest ?? null,
    };
    await appendSealed(store, seal({ clock, entropy }, head, { drafts: [draft], context }));
  }

  await write(instanceStream('tool-executor', 'e1'), { type: 'InstanceStarted', data: started });
  await write(stream, { type: 'LeaseRenewed', data: { instance: holder, ttlMs: 5_000 } });
  const watch = new LeaseWatch({
    ...{ store, clock, entropy, log: silentLog, ttlMs: 5_000 },
    probe: { probe: () => new Promise((resolve) => probes.push(resolve)) },
    crash: { pass: () => undefined },
    context: () => context,
    onChange: () => undefined,
  });
  await watch.statusNow(holder);
  return {
    watch,
    types: () => memory.types(stream),
    round: async () => {
      for (const wake of sleeping.splice(0)) wake();
      await settle();
    },
    probed: async (found: Liveness) => {
      for (const answer of probes.splice(0)) answer(found);
      await settle();
    },
    /** Another observer ends the lease, and this one hears of it. */
    endedByAnother: async () => {
      await write(stream, { type: 'LeaseEnded', data: { instance: holder, reason: 'gone', by: 'another' } });
      const page = await store.readStream(stream, { direction: 'backwards', from: 'end', maxCount: 1 });
      if (page.outcome === 'events') for (const event of page.events) await follow?.onEvent(event);
    },
  };
}

describe('the watch over a lease', () => {
  it('ends the lease of a holder that is gone', async () => {
    const { watch, round, probed, types } = await watchOfHolder();
    await round();
    await probed('gone');
    expect(types()).toEqual(['LeaseRenewed', 'LeaseEnded']);
    expect(watch.status(holder)).toMatchObject({ status: 'ended' });
  });

  it('writes nothing behind an end that it heard of while it probed (A5)', async () => {
    const { watch, round, probed, endedByAnother, types } = await watchOfHolder();
    await round();
    await endedByAnother();
    await probed('gone');
    expect(types()).toEqual(['LeaseRenewed', 'LeaseEnded']);
    expect(watch.status(holder)).toMatchObject({ status: 'ended', end: { revision: 1 } });
  });
});
