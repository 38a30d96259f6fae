import {
  InMemoryEventStore,
  resolving,
  type AppendCall,
  type InMemoryLog,
  type StoreInterceptor,
} from '@writ/event-store';
import type { AppendOutcome, Entropy, EventStore, ReadOutcome } from '@writ/runtime';
import { simulationLimits } from '../limits';
import type { Scheduler } from './scheduler';
import type { SimProcess } from './sim-process';
import type { Faults } from './swarm';

export interface DiskOptions {
  readonly log: InMemoryLog;
  readonly scheduler: Scheduler;
  readonly faults: Faults;
  readonly process: SimProcess;
  readonly entropy: Entropy;
  /** An append of this type of event met one that was not its own. */
  lost(type: string): void;
}

/** One process's client of the store: what production puts above a client that tries each append once. */
export interface Disk {
  readonly store: EventStore;
  /** Cut off from the store, or connected again. */
  setCut(cut: boolean): void;
}

const timedOut: AppendOutcome = { outcome: 'unknown', cause: 'store_timeout' };
const away: ReadOutcome = { outcome: 'unavailable', cause: 'store_timeout' };

export function openDisk(options: DiskOptions): Disk {
  const { log, process, entropy } = options;
  const client = new InMemoryEventStore({ log, intercept: interceptor(options) });
  const { appendTimeoutMs, resolveMs } = simulationLimits;
  const times = { appendTimeoutMs, resolveMs, boundsItsTries: true };
  const store = resolving(client, { clock: process.clock, entropy, ...times });
  return { store, setCut: (cut) => client.setDown(cut) };
}

function interceptor(options: DiskOptions): StoreInterceptor {
  const { scheduler, faults, process } = options;
  const read = async (proceed: () => ReadOutcome): Promise<ReadOutcome> => {
    if (process.isFrozen) await process.leave();
    return process.answer(readOnce(scheduler, faults, proceed));
  };
  return {
    append: async (call, proceed) => {
      if (process.isFrozen) await process.leave();
      return boundedTry(options, appendOnce(options, call, proceed));
    },
    readStream: (_stream, _options, proceed) => read(proceed),
    readAll: (_options, proceed) => read(proceed),
    deliver: async (_event, proceed) => {
      if (faults.hits('deliverLate')) await scheduler.sleep(faults.whole(1, 800));
      if (!process.isRunning) await process.answer(undefined);
      await proceed();
    },
    ping: (proceed) => process.answer(proceed()),
  };
}

async function readOnce(
  scheduler: Scheduler,
  faults: Faults,
  proceed: () => ReadOutcome,
): Promise<ReadOutcome> {
  await scheduler.sleep(faults.whole(0, 3));
  const found = faults.hits('readAway') ? away : proceed();
  if (faults.chance(0.2)) await scheduler.sleep(faults.whole(1, 10));
  return found;
}

/** The client gives a try up after its time, as production's does by itself; both are heard when the process can hear. */
function boundedTry(
  { scheduler, process }: DiskOptions,
  outcome: Promise<AppendOutcome>,
): Promise<AppendOutcome> {
  return new Promise((resolve) => {
    const hear = (heard: AppendOutcome): void => process.hear(() => resolve(heard));
    const timer = scheduler.after(simulationLimits.appendTimeoutMs, () => hear(timedOut));
    void outcome.then((known) => {
      scheduler.cancel(timer);
      hear(known);
    });
  });
}

/** An append on its way: it may arrive late, twice or never; its answer may be late, lost or false, whatever became of it. */
async function appendOnce(
  { scheduler, faults, process, log, lost }: DiskOptions,
  { events }: AppendCall,
  proceed: () => AppendOutcome,
): Promise<AppendOutcome> {
  if (process.isDead) return timedOut;
  const never = new Promise<AppendOutcome>(() => undefined);
  const unheard = faults.chance(0.5) ? never : Promise.resolve(timedOut);
  await scheduler.sleep(faults.hits('appendSlow') ? faults.whole(10, 2_500) : faults.whole(1, 4));
  // A process that died with a request on the wire: it had left, or it had not.
  if (process.isDead && faults.chance(0.5)) return never;
  if (faults.hits('appendLost')) return unheard;
  if (faults.hits('appendLate')) {
    scheduler.after(faults.whole(500, 7_000), () => void proceed());
    return unheard;
  }
  const outcome = proceed();
  const [own] = events;
  if (outcome.outcome === 'conflict' && own !== undefined && !log.events.some(({ id }) => id === own.id))
    lost(own.type);
  if (faults.hits('appendDoubled')) scheduler.after(faults.whole(1, 2_000), () => void proceed());
  await scheduler.sleep(faults.whole(0, 3));
  if (faults.hits('answerLate')) await scheduler.sleep(faults.whole(100, 3_000));
  if (outcome.outcome === 'acknowledged' && faults.hits('falseConflict'))
    return { outcome: 'conflict', actual: 'not_told' };
  return faults.hits('appendUnheard') ? unheard : outcome;
}
