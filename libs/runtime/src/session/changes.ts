import { runtimeLimits } from '../limits';
import type { Clock } from '../ports';

/** Tells those who wait that something has changed here. */
export class Changes {
  private readonly listeners = new Set<() => void>();

  constructor(private readonly clock: Clock) {}

  tell(): void {
    for (const listener of this.listeners) listener();
  }

  /** The next change, or a poll later: what is waited for may happen in another process. */
  async next(signal: AbortSignal): Promise<void> {
    const woken = new AbortController();
    const wake = (): void => woken.abort();
    this.listeners.add(wake);
    signal.addEventListener('abort', wake);
    await this.clock.sleep(runtimeLimits.pollMs, woken.signal);
    signal.removeEventListener('abort', wake);
    this.listeners.delete(wake);
  }
}
