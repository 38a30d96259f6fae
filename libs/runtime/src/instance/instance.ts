import { instanceId, instanceStream, leaseStream, type EventData } from '@writ/contracts';
import { readNewest } from '../journal/read';
import type { SealContext } from '../journal/seal';
import { LeaseKeeper } from '../lease/lease-keeper';
import { LeaseWatch } from '../lease/lease-watch';
import { runtimeLimits } from '../limits';
import type { Clock, CrashPoints, Entropy, EventStore, InstanceProbe, Log } from '../ports';

export interface InstanceOptions {
  readonly store: EventStore;
  readonly clock: Clock;
  readonly entropy: Entropy;
  readonly log: Log;
  readonly crash: CrashPoints;
  readonly probe: InstanceProbe;
  readonly started: EventData<'InstanceStarted'>;
  readonly ttlMs: number;
  onExtended?(aliveUntilMonotonicMs: number): void;
  onLost(): void;
  /** A lease that somebody may wait for has ended. */
  onLeaseEnded(instance: string): void;
  /** Another live process has this name: this one has to go. */
  onClone(): void;
}

/** One run of a service process on record: its incarnation, its own lease and its view of the others' (protocol 7). */
export class Instance {
  readonly lease: LeaseKeeper;
  readonly watch: LeaseWatch;
  private readonly stopping = new AbortController();
  private entering: Promise<void> | undefined;
  private entered = false;

  constructor(private readonly options: InstanceOptions) {
    const { store, clock, entropy, log, crash, probe, started, ttlMs } = options;
    this.lease = new LeaseKeeper({
      store,
      clock,
      entropy,
      log,
      started,
      ttlMs,
      onLost: () => this.onLost(),
      onExtended: (until) => options.onExtended?.(until),
    });
    this.watch = new LeaseWatch({
      store,
      clock,
      entropy,
      log,
      crash,
      probe,
      ttlMs,
      context: () => this.context(),
      onChange: (instance) => options.onLeaseEnded(instance),
    });
  }

  /** Begins to enter: waits for the store, and for an earlier run of the same name to be known to have ended. */
  start(): void {
    this.entering = this.enter();
  }

  /** `ok`, or what is missing in a few words. */
  readiness(): string {
    if (!this.entered) return 'its start is not on record yet';
    return this.lease.lapsed ? 'its lease could not be renewed in time' : 'ok';
  }

  context(): SealContext {
    const { service, name } = this.options.started;
    const { instance } = this.lease;
    return {
      actor: { service, ...(instance === undefined ? {} : { instance }) },
      correlationId: `${service}.${name}`,
    };
  }

  /** Ends the lease; nothing of this instance may be appended after it. */
  async end(): Promise<void> {
    this.stopping.abort();
    await this.entering;
    await this.watch.close();
    await this.lease.end();
  }

  /** What is held is stopped; where the lease has ended the next incarnation begins, asked for or not (protocol 7). */
  private onLost(): void {
    this.options.onLost();
    if (this.lease.instance !== undefined || !this.entered) return;
    this.entered = false;
    this.entering = this.enter();
  }

  private async enter(): Promise<void> {
    const { clock } = this.options;
    while (!this.stopping.signal.aborted) {
      if ((await this.supersede()) && (await this.lease.begin())) {
        this.entered = true;
        return;
      }
      await clock.sleep(runtimeLimits.enterEveryMs, this.stopping.signal);
    }
  }

  /** Whether no lease of an earlier run of this name is left standing. */
  private async supersede(): Promise<boolean> {
    const { store, clock, started, ttlMs } = this.options;
    const newest = await readNewest(store, instanceStream(started.service, started.name));
    if (newest.outcome === 'not_found') return true;
    const before = newest.outcome === 'events' ? newest.events[0] : undefined;
    if (before === undefined) return false;
    const instance = instanceId(started.service, started.name, before.revision);
    const held = await readNewest(store, leaseStream(instance));
    if (held.outcome === 'not_found') return true;
    if (held.outcome !== 'events') return false;
    if (held.events[0]?.type === 'LeaseEnded') return true;
    const sinceMs = clock.monotonicMs();
    while (
      !this.stopping.signal.aborted &&
      clock.monotonicMs() - sinceMs < ttlMs * runtimeLimits.cloneAfterTtls
    ) {
      if ((await this.watch.statusNow(instance)).status === 'ended') return true;
      await clock.sleep(runtimeLimits.probeEveryMs, this.stopping.signal);
    }
    const now = await readNewest(store, leaseStream(instance));
    const renews =
      now.outcome === 'events' &&
      now.events[0]?.id !== held.events[0]?.id &&
      now.events[0]?.type === 'LeaseRenewed';
    if (renews && !this.stopping.signal.aborted) this.options.onClone();
    return false;
  }
}
