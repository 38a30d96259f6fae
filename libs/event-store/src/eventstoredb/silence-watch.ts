import type { Clock } from '@writ/runtime';
import { SILENCE_CHECK_MS, SILENCE_GRACE_MS } from '../limits';
import type { Followed } from './followed';

export interface SilenceWatchOptions {
  readonly clock: Clock;
  readonly followed: Followed;
  /** Milliseconds until the server must have said anything at all. */
  readonly confirmMs: number;
  /** Said once for one subscription, by the server or by what a check has found. */
  onCaughtUp(): void;
}

/**
 * Notices that a subscription has fallen silent: while nothing comes, it reads from the store what should have come
 * next. Either the read fails, or what it found must soon be delivered. Time spent in handlers is no silence.
 */
export class SilenceWatch {
  readonly #options: SilenceWatchOptions;
  readonly #over = new AbortController();
  #messages = 0;
  #isHandling = false;
  #isCaughtUp = false;

  constructor(options: SilenceWatchOptions) {
    this.#options = options;
  }

  get isOver(): boolean {
    return this.#over.signal.aborted;
  }

  async handling<T>(handle: () => Promise<T>): Promise<T> {
    this.#messages += 1;
    this.#isHandling = true;
    try {
      return await handle();
    } finally {
      this.#isHandling = false;
    }
  }

  caughtUp(): void {
    if (!this.#isCaughtUp) this.#options.onCaughtUp();
    this.#isCaughtUp = true;
  }

  end(): void {
    this.#over.abort();
  }

  async silence(): Promise<'store_silent'> {
    const { confirmMs } = this.#options;
    await this.#sleep(confirmMs);
    if (this.#messages > 0)
      while (!this.isOver) {
        const before = this.#messages;
        await this.#sleep(SILENCE_CHECK_MS);
        if (!this.isOver && this.#isQuietSince(before) && (await this.#isSilent(before))) break;
      }
    this.end();
    return 'store_silent';
  }

  #isQuietSince(messages: number): boolean {
    return !this.#isHandling && this.#messages === messages;
  }

  async #isSilent(before: number): Promise<boolean> {
    const next = await this.#options.followed.readNext();
    if (this.isOver || !this.#isQuietSince(before)) return false;
    if (next.outcome === 'unavailable') return true;
    const isMissed = next.outcome === 'events' && next.events.length > 0;
    if (!isMissed) {
      this.caughtUp();
      return false;
    }
    await this.#sleep(SILENCE_GRACE_MS);
    return this.#isQuietSince(before);
  }

  #sleep(ms: number): Promise<void> {
    return this.#options.clock.sleep(ms, this.#over.signal);
  }
}
