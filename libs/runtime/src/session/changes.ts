import { runtimeLimits } from '../limits';
import type { Clock } from '../ports';

/** Without a reason of its own an abort makes an error, stack and all, at every change. */
const nudge = 'changed';

/** Tells those who wait for one session that something has changed there. */
export class Changes {
  private readonly waiting = new Map<string, Set<() => void>>();

  constructor(private readonly clock: Clock) {}

  tell(sessionId: string): void {
    for (const wake of this.waiting.get(sessionId) ?? []) wake();
  }

  tellAll(): void {
    for (const sessionId of this.waiting.keys()) this.tell(sessionId);
  }

  /** The next change, or a poll later: what is waited for may happen in another process. */
  async next(sessionId: string, signal: AbortSignal): Promise<void> {
    const woken = new AbortController();
    const wake = (): void => woken.abort(nudge);
    const listeners = this.waiting.get(sessionId) ?? new Set();
    this.waiting.set(sessionId, listeners.add(wake));
    signal.addEventListener('abort', wake);
    await this.clock.sleep(runtimeLimits.pollMs, woken.signal);
    signal.removeEventListener('abort', wake);
    listeners.delete(wake);
    if (listeners.size === 0) this.waiting.delete(sessionId);
  }
}
