import { runtimeLimits } from '../limits';
import type { Clock } from '../ports';

/**
 * When an owner reads its open calls although no notice came. Notices get lost, so it must; but a turn that waits for a
 * person may wait for days beside ten thousand others, so the pause grows while nothing moves.
 */
export class PollPace {
  private pauseMs: number = runtimeLimits.pollMs;
  private polledAtMs = Number.NEGATIVE_INFINITY;

  constructor(private readonly clock: Clock) {}

  get due(): boolean {
    return this.clock.monotonicMs() - this.polledAtMs >= this.pauseMs;
  }

  /** The pause before the next poll, in milliseconds. */
  get everyMs(): number {
    return this.pauseMs;
  }

  /** `busy`: something has moved, or an executor is at work. */
  polled(busy: boolean): void {
    this.polledAtMs = this.clock.monotonicMs();
    this.pauseMs = busy ? runtimeLimits.pollMs : Math.min(this.pauseMs * 2, runtimeLimits.pollLongestMs);
  }

  /** Something has happened: more may follow. */
  quicken(): void {
    this.pauseMs = runtimeLimits.pollMs;
  }
}
