import { instanceId, instanceStream, leaseStream, type EventData, type Service } from '@writ/contracts';
import { appendSealed } from '../journal/append';
import { readNewest } from '../journal/read';
import { seal, type StreamHead } from '../journal/seal';
import { runtimeLimits } from '../limits';
import type { Clock, Entropy, EventStore, Log } from '../ports';

export interface LeaseKeeperOptions {
  readonly store: EventStore;
  readonly clock: Clock;
  readonly entropy: Entropy;
  readonly log: Log;
  readonly started: EventData<'InstanceStarted'>;
  readonly ttlMs: number;
  /** Told the monotonic moment until which the instance may act, at each acknowledged renewal. */
  onExtended?(aliveUntilMonotonicMs: number): void;
  /** The lease has ended or could not be renewed in time: stop what is held. Called once per loss. */
  onLost(): void;
}

interface Standing {
  readonly instance: string;
  readonly head: StreamHead;
  /** Monotonic moment at which the last acknowledged renewal was *sent*; undefined before the first (protocol 7). */
  readonly sentAtMs?: number;
}

/**
 * One instance's one lease for all it holds, renewed only while it holds something (protocol 7). An incarnation begins
 * with an acknowledged `InstanceStarted`; a lease that has ended is followed by the next incarnation.
 */
export class LeaseKeeper {
  private standing: Standing | undefined;
  private holds = 0;
  private renewing: Promise<boolean> | undefined;
  private readonly stopping = new AbortController();
  private beating: Promise<void> | undefined;
  private nudge = new AbortController();

  constructor(private readonly options: LeaseKeeperOptions) {}

  /** This incarnation, or undefined while none is on record. */
  get instance(): string | undefined {
    return this.standing?.instance;
  }

  /** Begins an incarnation; answers false while the store cannot be asked. */
  async begin(): Promise<boolean> {
    const { store, started, log } = this.options;
    const stream = instanceStream(started.service, started.name);
    const newest = await readNewest(store, stream);
    if (newest.outcome !== 'events' && newest.outcome !== 'not_found') return false;
    const previous = newest.outcome === 'events' ? newest.events[0] : undefined;
    const head = {
      stream,
      revision: previous?.revision ?? ('no_stream' as const),
      lastDigest: previous?.metadata.digest ?? null,
    };
    const drafts = [{ type: 'InstanceStarted' as const, data: started }];
    const sealed = seal(this.options, head, { drafts, context: this.context(undefined) });
    const outcome = await appendSealed(store, sealed);
    const event = outcome.outcome === 'acknowledged' ? outcome.events[0] : undefined;
    if (event === undefined) return false;
    const instance = instanceId(started.service, started.name, event.revision);
    this.standing = {
      instance,
      head: { stream: leaseStream(instance), revision: 'no_stream', lastDigest: null },
    };
    log.info('instance_started', { instance, position: event.position });
    return true;
  }

  /** Until when this instance may act, on its own monotonic clock; 0 where it may not. */
  aliveUntil(): number {
    const sentAtMs = this.standing?.sentAtMs;
    return sentAtMs === undefined ? 0 : sentAtMs + this.options.ttlMs * (1 - runtimeLimits.leaseMarginShare);
  }

  mayAct(): boolean {
    return this.options.clock.monotonicMs() < this.aliveUntil();
  }

  /** Takes one more thing under the lease; answers whether it stands. Each `true` is paired with one `release`. */
  async hold(): Promise<boolean> {
    this.holds += 1;
    this.beating ??= this.beat();
    if (this.mayAct() || (await this.renewOnce())) return true;
    this.release();
    return false;
  }

  release(): void {
    this.holds -= 1;
  }

  /** The last append of this instance: its lease is released, so that heirs need not wait. */
  async end(): Promise<void> {
    this.stopping.abort();
    this.nudge.abort();
    await this.beating;
    await this.renewing;
    const standing = this.standing;
    if (standing === undefined || standing.head.revision === 'no_stream') return;
    await this.appendLease(standing, 'LeaseEnded');
    this.standing = undefined;
  }

  private async beat(): Promise<void> {
    const { clock, ttlMs } = this.options;
    while (!this.stopping.signal.aborted) {
      await clock.sleep(ttlMs / runtimeLimits.renewalsPerTtl, this.nudge.signal);
      if (this.holds > 0 && !this.stopping.signal.aborted) await this.renewOnce();
    }
  }

  private renewOnce(): Promise<boolean> {
    this.renewing ??= this.renew().finally(() => {
      this.renewing = undefined;
    });
    return this.renewing;
  }

  private async renew(): Promise<boolean> {
    const { clock, log } = this.options;
    if (this.standing === undefined && !(await this.begin())) return false;
    const standing = this.standing;
    if (standing === undefined) return false;
    const sentAtMs = clock.monotonicMs();
    const outcome = await this.appendLease(standing, 'LeaseRenewed');
    if (outcome.outcome === 'acknowledged') {
      const event = outcome.events[0];
      if (event === undefined || (outcome.repeated && !(await this.isNewest(event.id))))
        return this.lose('superseded');
      const head = {
        stream: standing.head.stream,
        revision: event.revision,
        lastDigest: event.metadata.digest,
      };
      this.standing = { instance: standing.instance, head, sentAtMs };
      if (standing.head.revision === 'no_stream')
        void this.options.store.capStream(head.stream, runtimeLimits.leaseStreamKeeps);
      this.options.onExtended?.(this.aliveUntil());
      return this.mayAct();
    }
    if (outcome.outcome === 'conflict') return this.lose('ended_by_another');
    log.warn('lease_not_renewed', { instance: standing.instance, outcome: outcome.outcome });
    if (outcome.outcome === 'unknown') await this.catchUp(standing);
    if (standing.sentAtMs !== undefined && !this.mayAct()) this.options.onLost();
    return false;
  }

  /** After an unknown renewal: where does the stream stand? Its own renewal moves the head, a `LeaseEnded` ends it. */
  private async catchUp(standing: Standing): Promise<void> {
    const newest = await readNewest(this.options.store, standing.head.stream);
    const event = newest.outcome === 'events' ? newest.events[0] : undefined;
    if (event === undefined) return;
    if (event.type === 'LeaseEnded') this.lose('ended_by_another');
    else
      this.standing = {
        ...standing,
        head: { stream: event.stream, revision: event.revision, lastDigest: event.metadata.digest },
      };
  }

  private lose(why: string): false {
    this.options.log.warn('lease_lost', { instance: this.standing?.instance, why });
    this.standing = undefined;
    this.options.onLost();
    return false;
  }

  private async isNewest(id: string): Promise<boolean> {
    const stream = this.standing?.head.stream;
    if (stream === undefined) return false;
    const newest = await readNewest(this.options.store, stream);
    return newest.outcome === 'events' && newest.events[0]?.id === id;
  }

  private appendLease(standing: Standing, type: 'LeaseRenewed' | 'LeaseEnded') {
    const { store, ttlMs } = this.options;
    const { instance, head } = standing;
    const draft =
      type === 'LeaseRenewed'
        ? { type, data: { instance, ttlMs } }
        : { type, data: { instance, reason: 'released' as const, by: instance } };
    return appendSealed(
      store,
      seal(this.options, head, { drafts: [draft], context: this.context(instance) }),
    );
  }

  private context(instance: string | undefined) {
    const { service, name } = this.options.started;
    return {
      actor: { service: service satisfies Service, ...(instance === undefined ? {} : { instance }) },
      correlationId: `${service}.${name}`,
    };
  }
}
