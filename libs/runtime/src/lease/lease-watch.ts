import {
  instanceStream,
  leaseStream,
  parseInstanceId,
  streamPrefixes,
  type LeaseEndReason,
  type RecordedEvent,
  type WritEvent,
} from '@writ/contracts';
import { appendSealed } from '../journal/append';
import { openRecorded, readNewest, readOne } from '../journal/read';
import { seal, type SealContext, type StreamHead } from '../journal/seal';
import { runtimeLimits } from '../limits';
import type { Clock, CrashPoints, Entropy, EventStore, Following, InstanceProbe, Log } from '../ports';

/** The event that ended a lease; takeovers name it (protocol 7). */
export interface LeaseEnd {
  readonly stream: string;
  readonly revision: number;
  readonly reason: LeaseEndReason;
}

export type HolderLease =
  | { readonly status: 'live' }
  | { readonly status: 'ended'; readonly end: LeaseEnd }
  /** Not looked at yet, no renewal seen to arrive yet, or the store does not answer; becomes one of the others within a TTL. */
  | { readonly status: 'unknown' };

interface Watched {
  readonly instance: string;
  readonly started: WritEvent<'InstanceStarted'>['data'] | undefined;
  head: StreamHead;
  /** Monotonic moment at which this observer last saw a renewal, or began to watch. */
  seenAtMs: number;
  /** Monotonic moment at which somebody here last asked: only what is asked about is judged, an idle holder may lapse. */
  askedAtMs: number;
  ttlMs: number;
  /** A renewal was seen to arrive; what stood there before says nothing of now. */
  renewed: boolean;
  end?: LeaseEnd;
  ending?: Promise<void>;
}

export interface LeaseWatchOptions {
  readonly store: EventStore;
  readonly clock: Clock;
  readonly entropy: Entropy;
  readonly log: Log;
  readonly probe: InstanceProbe;
  readonly crash: CrashPoints;
  /** Assumed for a holder that has not renewed within sight yet. */
  readonly ttlMs: number;
  /** Who appends a `LeaseEnded`. */
  context(): SealContext;
  /** Something that somebody may wait for has changed. */
  onChange(instance: string): void;
}

/**
 * Observes the leases of other instances: counts silence by its own monotonic clock from what it has *seen*, asks the
 * sockets of holders on this host, and ends a lease by an append at the revision last seen (protocol 7). A conflict
 * means that it lives.
 */
export class LeaseWatch {
  private readonly watched = new Map<string, Watched>();
  private readonly loading = new Map<string, Promise<void>>();
  private readonly seenPools = new Map<string, number>();
  private readonly stopping = new AbortController();
  private readonly following: Following;
  /** Under way while somebody asks. */
  private rounds: Promise<void> | undefined;
  private blind = true;

  constructor(private readonly options: LeaseWatchOptions) {
    this.following = options.store.follow({
      of: { prefixes: [streamPrefixes.lease] },
      after: 'end',
      onEvent: (event) => this.onLeaseEvent(event),
      onCaughtUp: () => this.seeAgain(),
      onDown: (down) => (down ? (this.blind = true) : this.seeAgain()),
    });
  }

  /** What is known of a holder's lease; the first question begins the watch. */
  status(instance: string): HolderLease {
    const watched = this.watched.get(instance);
    if (watched?.end !== undefined) return { status: 'ended', end: watched.end };
    if (watched !== undefined) {
      this.ask(watched);
      return { status: watched.renewed ? 'live' : 'unknown' };
    }
    void this.load(instance);
    return { status: 'unknown' };
  }

  /** The same, after the store has been asked where it was not known. */
  async statusNow(instance: string): Promise<HolderLease> {
    if (!this.watched.has(instance)) await this.load(instance);
    return this.status(instance);
  }

  /** Monotonic moment at which an executor of the pool was last seen to renew; undefined if never. */
  poolSeenAtMs(pool: string): number | undefined {
    return this.seenPools.get(pool);
  }

  forget(instance: string): void {
    this.watched.delete(instance);
  }

  async close(): Promise<void> {
    this.stopping.abort();
    await this.following.close();
    await this.rounds;
  }

  /** After a pause in the asking nobody looked, so silence is counted anew. */
  private ask(watched: Watched): void {
    const now = this.options.clock.monotonicMs();
    if (now - watched.askedAtMs > runtimeLimits.watchedForMs)
      watched.seenAtMs = Math.max(watched.seenAtMs, now);
    watched.askedAtMs = now;
    this.rounds ??= this.run();
  }

  private load(instance: string): Promise<void> {
    const running = this.loading.get(instance);
    if (running !== undefined) return running;
    const loading = this.loadNow(instance).finally(() => this.loading.delete(instance));
    this.loading.set(instance, loading);
    return loading;
  }

  private async loadNow(instance: string): Promise<void> {
    const parts = parseInstanceId(instance);
    if (parts === undefined) return;
    const startedRead = await readOne(
      this.options.store,
      instanceStream(parts.service, parts.name),
      parts.incarnation,
    );
    if (startedRead.outcome === 'unavailable') return;
    const startedEvent = startedRead.outcome === 'events' ? startedRead.events[0] : undefined;
    const started = startedEvent?.type === 'InstanceStarted' ? startedEvent.data : undefined;
    const stream = leaseStream(instance);
    const newest = await readNewest(this.options.store, stream);
    if (newest.outcome === 'unavailable' || newest.outcome === 'damaged') return;
    const watched: Watched = {
      instance,
      started,
      head: { stream, revision: 'no_stream', lastDigest: null },
      seenAtMs: this.options.clock.monotonicMs(),
      askedAtMs: Number.NEGATIVE_INFINITY,
      renewed: false,
      ttlMs: this.options.ttlMs,
    };
    this.watched.set(instance, watched);
    const event = newest.outcome === 'events' ? newest.events[0] : undefined;
    if (event !== undefined) {
      this.see(watched, event);
      watched.renewed = false;
    }
  }

  private onLeaseEvent(recorded: RecordedEvent): void {
    const opened = openRecorded(recorded);
    if (!opened.ok) return this.options.log.error('event_damaged', { problem: opened.problem });
    const { event } = opened;
    if (event.type !== 'LeaseRenewed' && event.type !== 'LeaseEnded') return;
    const watched = this.watched.get(event.data.instance);
    if (watched !== undefined) this.see(watched, event);
    else if (event.type === 'LeaseRenewed' && event.data.instance.startsWith('tool-executor.'))
      void this.load(event.data.instance);
  }

  private see(watched: Watched, event: WritEvent): void {
    const { revision } = watched.head;
    if (revision !== 'no_stream' && event.revision <= revision) return;
    watched.head = { stream: event.stream, revision: event.revision, lastDigest: event.metadata.digest };
    if (event.type === 'LeaseRenewed') {
      watched.seenAtMs = this.options.clock.monotonicMs();
      watched.renewed = true;
      watched.ttlMs = event.data.ttlMs;
      if (watched.started?.pool !== undefined) this.seenPools.set(watched.started.pool, watched.seenAtMs);
    }
    if (event.type === 'LeaseEnded') {
      watched.end = { stream: event.stream, revision: event.revision, reason: event.data.reason };
      this.options.onChange(watched.instance);
    }
  }

  /** After an outage nothing was seen, so nobody was silent: counting begins anew. */
  private seeAgain(): void {
    if (!this.blind) return;
    this.blind = false;
    const now = this.options.clock.monotonicMs();
    for (const watched of this.watched.values()) watched.seenAtMs = now;
  }

  /** Rounds over what is asked about, until nothing is. */
  private async run(): Promise<void> {
    do {
      await this.options.clock.sleep(runtimeLimits.probeEveryMs, this.stopping.signal);
      if (this.blind) continue;
      for (const watched of this.asked())
        watched.ending ??= this.judge(watched).finally(() => delete watched.ending);
    } while (!this.stopping.signal.aborted && this.asked().length > 0);
    this.rounds = undefined;
  }

  private asked(): readonly Watched[] {
    const sinceMs = this.options.clock.monotonicMs() - runtimeLimits.watchedForMs;
    return [...this.watched.values()].filter(
      ({ askedAtMs, end }) => askedAtMs >= sinceMs && end === undefined,
    );
  }

  private async judge(watched: Watched): Promise<void> {
    const isGone =
      watched.started !== undefined && (await this.options.probe.probe(watched.started)) === 'gone';
    // Another observer may have been first while the probe was under way: nothing follows a lease's end (A5).
    if (watched.end !== undefined) return;
    if (isGone) return this.endLease(watched, 'gone');
    const silentForMs = this.options.clock.monotonicMs() - watched.seenAtMs;
    return silentForMs > watched.ttlMs ? this.endLease(watched, 'silent') : undefined;
  }

  private async endLease(watched: Watched, reason: LeaseEndReason): Promise<void> {
    const { store, clock, entropy, log, crash } = this.options;
    const context = this.options.context();
    const by = context.actor.instance ?? context.actor.service;
    const data = { instance: watched.instance, reason, by };
    const sealed = seal({ clock, entropy }, watched.head, {
      drafts: [{ type: 'LeaseEnded', data }],
      context,
    });
    const appending = appendSealed(store, sealed);
    crash.pass('H1', appending);
    const outcome = await appending;
    const event = outcome.outcome === 'acknowledged' ? outcome.events[0] : undefined;
    if (event !== undefined) {
      log.info('lease_ended', { instance: watched.instance, reason, position: event.position });
      return this.see(watched, event);
    }
    const newest = await readNewest(store, watched.head.stream);
    if (newest.outcome === 'events' && newest.events[0] !== undefined) this.see(watched, newest.events[0]);
    else watched.seenAtMs = clock.monotonicMs();
  }
}
