/**
 * Ends all tools once the executor's lease no longer stands, in a process that no tool and no busy executor can
 * hold up (protocol 7). Before the first `extend` and after an expiry nothing may start.
 */
export class Watchdog {
  private until: number | undefined;
  private timer: NodeJS.Timeout | undefined;
  private resting = false;

  constructor(
    private readonly now: () => number,
    private readonly onExpired: () => void,
  ) {}

  /** A moment of the monotonic clock, in ms; one that is not newer changes nothing. */
  extend(until: number): void {
    if (this.until !== undefined && until <= this.until) return;
    if (until <= this.now()) return;
    this.until = until;
    this.arm();
  }

  /** Nothing is held: if the lease lapses before `wake`, idle processes are left alone. */
  rest(): void {
    this.resting = true;
  }

  /** Something is held again. */
  wake(): void {
    this.resting = false;
  }

  stands(): boolean {
    return this.until !== undefined && this.now() < this.until;
  }

  private arm(): void {
    clearTimeout(this.timer);
    if (this.until === undefined) return;
    const left = this.until - this.now();
    this.timer = setTimeout(() => this.look(), Math.min(Math.max(left, 0), 2 ** 31 - 1));
  }

  private look(): void {
    // Timers may be early by a fraction of a millisecond.
    if (this.stands()) return this.arm();
    this.until = undefined;
    if (!this.resting) this.onExpired();
  }
}

/** CLOCK_MONOTONIC in ms: on one Linux host the same for all processes. */
export const monotonicMs = (): number => Number(process.hrtime.bigint() / 1000n) / 1000;
