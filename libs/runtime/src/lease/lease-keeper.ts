import {
  instanceId,
  instanceStream,
  leaseStream,
  type EventData,
  type Service,
  type WritEvent,
} from '@writ/contracts';
import { appendSealed, type SealedOutcome } from '../journal/append';
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
  /** The lease has ended (there is no `instance` any more) or could not be renewed in time: stop what is held. */
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
 * with an acknowledged `InstanceStarted`; once its lease has ended, whoever owns this begins the next one.
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

  /** Whether something is held under a lease that could not be renewed in time. An idle one may lapse. */
  get lapsed(): boolean {
    return this.holds > 0 && this.standing?.sentAtMs !== undefined && !this.mayAct();
  }

  /**
   * Takes one more thing under the lease; answers whether it stands, and long enough for renewals to follow: one that
   * was idle may be about to lapse. Each `true` is paired with one `release`.
   */
  async hold(): Promise<boolean> {
    this.holds += 1;
    this.beating ??= this.beat();
    if (!this.isFresh()) await this.renewOnce();
    if (this.isFresh()) return true;
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

  private isFresh(): boolean {
    const leftMs = this.aliveUntil() - this.options.clock.monotonicMs();
    return leftMs >= this.options.ttlMs * runtimeLimits.freshLeaseShare;
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
    if ((await this.renewAtHead()) === 'behind') await this.renewAtHead();
    if (this.mayAct()) return true;
    if (this.standing?.sentAtMs !== undefined) this.options.onLost();
    return false;
  }

  /** `behind`: an earlier renewal of its own, unknown until now, was there first; the head is known again. */
  private async renewAtHead(): Promise<'known' | 'behind'> {
    const { clock, log, store } = this.options;
    const standing = this.standing;
    if (standing === undefined) return 'known';
    const sentAtMs = clock.monotonicMs();
    const outcome = await this.appendLease(standing, 'LeaseRenewed');
    const event = await this.standingEvent(outcome);
    if (event !== undefined) {
      const { stream } = standing.head;
      const head = { stream, revision: event.revision, lastDigest: event.metadata.digest };
      this.standing = { instance: standing.instance, head, sentAtMs };
      if (standing.sentAtMs === undefined) void store.capStream(stream, runtimeLimits.leaseStreamKeeps);
      this.options.onExtended?.(this.aliveUntil());
      return 'known';
    }
    log.warn('lease_not_renewed', { instance: standing.instance, outcome: outcome.outcome });
    const moved = await this.catchUp(standing);
    return moved ? 'behind' : 'known';
  }

  /** The event, where it is known to be on record: *was written* is not *still holds* (protocol 5). */
  private async standingEvent(outcome: SealedOutcome): Promise<WritEvent | undefined> {
    if (outcome.outcome !== 'acknowledged') return undefined;
    const [event] = outcome.events;
    if (event === undefined || !outcome.repeated) return event;
    const newest = await readNewest(this.options.store, event.stream);
    return newest.outcome === 'events' && newest.events[0]?.id === event.id ? event : undefined;
  }

  /**
   * After an unknown renewal or a conflict: where does the stream stand? Only this instance renews in it, so a renewal
   * is its own, come late, and moves the head; a `LeaseEnded` ends the lease. Answers whether the head has moved.
   */
  private async catchUp(standing: Standing): Promise<boolean> {
    const newest = await readNewest(this.options.store, standing.head.stream);
    const event = newest.outcome === 'events' ? newest.events[0] : undefined;
    if (event === undefined || event.revision === standing.head.revision) return false;
    if (event.type === 'LeaseEnded') {
      this.lose('ended_by_another');
      return false;
    }
    const head = { stream: event.stream, revision: event.revision, lastDigest: event.metadata.digest };
    this.standing = { ...standing, head };
    return true;
  }

  private lose(why: string): void {
    this.options.log.warn('lease_lost', { instance: this.standing?.instance, why });
    this.standing = undefined;
    this.options.onLost();
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
