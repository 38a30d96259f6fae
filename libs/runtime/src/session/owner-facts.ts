import type { CallState, OwnerFacts } from '@writ/protocol';
import type { SessionPorts, SessionRules } from './session-ports';

/** What an owner knows besides the streams: leases, how long a pool is silent, since when it waits. By its own clocks. */
export class OwnerFactsBook {
  private readonly poolSince = new Map<string, number>();
  private readonly endedSince = new Map<string, number>();

  constructor(
    private readonly ports: SessionPorts,
    private readonly rules: SessionRules,
    private readonly instance: string,
  ) {}

  facts(openCalls: readonly CallState[], interruptRequested: boolean): OwnerFacts {
    const { clock, watch } = this.ports;
    const now = clock.monotonicMs();
    for (const call of openCalls) {
      if (call.status === 'ready' && !this.poolSince.has(call.terms.pool))
        this.poolSince.set(call.terms.pool, now);
    }
    return {
      instance: this.instance,
      nowMs: clock.wallMs(),
      holderLease: (instance) => watch.status(instance).status,
      endedForMs: (instance) => this.endedForMs(instance, now),
      unclaimedForMs: (pool) => now - this.poolSeenAtMs(pool, now),
      interruptRequested,
      limits: { commitGraceMs: this.rules.commitGraceMs, unclaimedMs: this.rules.unclaimedMs },
    };
  }

  private poolSeenAtMs(pool: string, now: number): number {
    const renewed = this.ports.watch.poolSeenAtMs(pool) ?? Number.NEGATIVE_INFINITY;
    return Math.max(renewed, this.poolSince.get(pool) ?? now);
  }

  private endedForMs(instance: string, now: number): number {
    if (this.ports.watch.status(instance).status !== 'ended') return 0;
    const since = this.endedSince.get(instance) ?? now;
    this.endedSince.set(instance, since);
    return now - since;
  }
}
