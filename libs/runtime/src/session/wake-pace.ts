import { backoffMs } from '../backoff';
import { runtimeLimits } from '../limits';
import type { Clock, Entropy } from '../ports';

/** When each call may be woken again: at once the first time, then with growing pauses (protocol 6). */
export class WakePace {
  private readonly paces = new Map<string, { tries: number; nextAtMs: number }>();

  constructor(
    private readonly clock: Clock,
    private readonly entropy: Entropy,
  ) {}

  /** Whether it is time; a `true` counts as a wake. `why` begins the count anew when it changes. */
  due(callId: string, why: string): boolean {
    const key = `${callId} ${why}`;
    const now = this.clock.monotonicMs();
    const pace = this.paces.get(key) ?? { tries: 0, nextAtMs: now };
    if (now < pace.nextAtMs) return false;
    const pauseMs = backoffMs(
      pace.tries,
      { firstMs: runtimeLimits.wakeFirstMs, longestMs: runtimeLimits.wakeLongestMs },
      this.entropy,
    );
    this.paces.set(key, { tries: pace.tries + 1, nextAtMs: now + pauseMs });
    return true;
  }
}
