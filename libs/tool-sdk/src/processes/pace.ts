import { limits } from '../limits';

/**
 * How often to look while processes end, and when they have: seen empty twice in a row, since the table is read entry by
 * entry and a process that is being born may hide from one reading.
 */
export class Pace {
  private looks = 0;
  private clean = 0;

  /** Takes what the last look has found. */
  isClean(found: number): boolean {
    this.looks += 1;
    this.clean = found === 0 ? this.clean + 1 : 0;
    return this.clean >= 2;
  }

  /** Milliseconds until the next look. */
  get ms(): number {
    return this.looks < limits.quickLooks ? limits.pollMs : limits.slowPollMs;
  }
}
