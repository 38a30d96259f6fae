import type { CallState, OwnerFacts } from '@writ/protocol';
import type { LeaseWatch } from '../lease/lease-watch';
import type { Clock } from '../ports';
import type { SessionRules } from './session-ports';

export interface OwnerFactsPorts {
  readonly clock: Clock;
  readonly watch: Pick<LeaseWatch, 'status' | 'poolSeenAtMs'>;
}

/** What an owner knows besides the streams: leases, how long a pool is silent, since when it waits. By its own clocks. */
export class OwnerFactsBook {
  /** Pools that are waited for now, and the monotonic moment since when. */
  private readonly waitingSince = new Map<string, number>();
  private readonly endedSince = new Map<string, number>();
  /** Calls that run, and the monotonic moment at which they were first seen to, in which epoch. */
  private readonly runningSince = new Map<string, { readonly epoch: number; readonly atMs: number }>();

  constructor(
    private readonly ports: OwnerFactsPorts,
    private readonly rules: Pick<SessionRules, 'commitGraceMs' | 'unclaimedMs'>,
    private readonly instance: string,
  ) {}

  facts(openCalls: readonly CallState[], interruptRequested: boolean): OwnerFacts {
    const { clock, watch } = this.ports;
    const now = clock.monotonicMs();
    this.noteWaiting(openCalls, now);
    this.noteRunning(openCalls, now);
    return {
      instance: this.instance,
      nowMs: clock.wallMs(),
      holderLease: (instance) => watch.status(instance).status,
      endedForMs: (instance) => this.endedForMs(instance, now),
      runningForMs: (callId) => now - (this.runningSince.get(callId)?.atMs ?? now),
      unclaimedForMs: (pool) => this.unclaimedForMs(pool, now),
      interruptRequested,
      limits: { commitGraceMs: this.rules.commitGraceMs, unclaimedMs: this.rules.unclaimedMs },
    };
  }

  /** Idle executors renew nothing: silence counts from when the pool is needed, anew each time that it is. */
  private noteWaiting(openCalls: readonly CallState[], now: number): void {
    const waiting = openCalls.filter((call) => this.needsPool(call, nextSegment(openCalls)));
    const pools = new Set(waiting.map(({ terms }) => terms.pool));
    for (const pool of this.waitingSince.keys()) if (!pools.has(pool)) this.waitingSince.delete(pool);
    for (const pool of pools) if (!this.waitingSince.has(pool)) this.waitingSince.set(pool, now);
  }

  private noteRunning(openCalls: readonly CallState[], now: number): void {
    const epochs = new Map(
      openCalls.flatMap((call) => (call.status === 'running' ? [[call.callId, call.epoch] as const] : [])),
    );
    for (const callId of this.runningSince.keys()) if (!epochs.has(callId)) this.runningSince.delete(callId);
    for (const [callId, epoch] of epochs)
      if (this.runningSince.get(callId)?.epoch !== epoch) this.runningSince.set(callId, { epoch, atMs: now });
  }

  private needsPool(call: CallState, segment: number): call is WaitingCall {
    if (call.status === 'ready') return call.terms.segment === segment;
    const isStarted = call.status === 'running' || call.status === 'reconciling';
    return isStarted && this.ports.watch.status(call.holder).status === 'ended';
  }

  private unclaimedForMs(pool: string, now: number): number {
    const since = this.waitingSince.get(pool);
    if (since === undefined) return 0;
    return now - Math.max(since, this.ports.watch.poolSeenAtMs(pool) ?? since);
  }

  private endedForMs(instance: string, now: number): number {
    if (this.ports.watch.status(instance).status !== 'ended') return 0;
    const since = this.endedSince.get(instance) ?? now;
    this.endedSince.set(instance, since);
    return now - since;
  }
}

type WaitingCall = Extract<CallState, { status: 'ready' | 'running' | 'reconciling' }>;

/** R12: calls of later segments wait for no executor yet. */
const nextSegment = (openCalls: readonly CallState[]): number =>
  Math.min(...openCalls.flatMap((call) => (call.status === 'settled' ? [] : [call.terms.segment])));
