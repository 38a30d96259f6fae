import { stackLimits } from '../limits';

/** How often each process may be started again: one that cannot run must not burn the machine for ever. */
export class RestartBudget {
  private readonly deaths = new Map<string, number[]>();

  /** Whether another start is within the bound; counts it. `now` in monotonic milliseconds. */
  take(name: string, now: number = performance.now()): boolean {
    const { max, windowMs } = stackLimits.restarts;
    const recent = (this.deaths.get(name) ?? []).filter((at) => at > now - windowMs);
    this.deaths.set(name, [...recent, now]);
    return recent.length < max;
  }
}
