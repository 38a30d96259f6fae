import type { ReadResp } from '@eventstore/db-client/generated/streams_pb';
import type { Clock, Entropy, Following, FollowOptions, Log } from '@writ/runtime';
import { Backoff } from '../backoff';
import { FOLLOW_AGAIN_FIRST_MS, FOLLOW_AGAIN_LAST_MS } from '../limits';
import type { ReadCall } from './connection';
import { failureOf } from './failures';
import type { Followed } from './followed';
import { recordedEvent } from './recorded';
import { SilenceWatch } from './silence-watch';
import type { SubscriptionLinks } from './subscription-links';

export interface FollowerOptions {
  readonly follow: FollowOptions;
  readonly followed: Followed;
  readonly links: SubscriptionLinks;
  readonly clock: Clock;
  readonly entropy: Entropy;
  readonly log: Pick<Log, 'warn'> | undefined;
  /** Milliseconds until a subscription must be confirmed. */
  readonly timeoutMs: number;
}

/** Why one subscription ended, other than by an error of its call. */
type Ending = 'store_silent' | 'ended_by_server' | 'place_not_found' | 'unusable_event';

/**
 * Follows by one subscription after the other, each from where the last one came to. Messages are handled in their
 * order, the next one is taken when the last handler is done: what piles up, piles up in the server.
 */
export class Follower implements Following {
  readonly #options: FollowerOptions;
  readonly #closing = new AbortController();
  readonly #backoff: Backoff;
  readonly #running: Promise<void>;
  #isDown = false;

  constructor(options: FollowerOptions) {
    this.#options = options;
    this.#backoff = new Backoff({
      firstMs: FOLLOW_AGAIN_FIRST_MS,
      lastMs: FOLLOW_AGAIN_LAST_MS,
      entropy: options.entropy,
    });
    this.#running = this.#run();
  }

  /** Also waits for the handler under way, which must therefore not wait for this. */
  close(): Promise<void> {
    this.#closing.abort();
    return this.#running;
  }

  async #run(): Promise<void> {
    const { clock, log } = this.#options;
    while (!this.#closing.signal.aborted) {
      try {
        const ending = await this.#followOnce();
        if (!this.#closing.signal.aborted) log?.warn('store_follow_ended', { ending });
      } catch (error) {
        if (!this.#closing.signal.aborted) log?.warn('store_follow_failed', { code: failureOf(error).code });
      }
      if (this.#closing.signal.aborted) return;
      this.#sayDown(true);
      await clock.sleep(this.#backoff.nextMs(), this.#closing.signal);
    }
  }

  async #followOnce(): Promise<Ending> {
    const { followed, links, clock, timeoutMs } = this.#options;
    if (!(await followed.pin())) return 'place_not_found';
    const { link, release } = links.take();
    const watch = new SilenceWatch({
      clock,
      followed,
      confirmMs: timeoutMs,
      onCaughtUp: () => this.#sayCaughtUp(),
    });
    let call: ReadCall | undefined;
    const closed = () => call?.cancel();
    this.#closing.signal.addEventListener('abort', closed);
    let failed = true;
    try {
      const consuming = link.openRead(followed.request()).then((opened) => {
        call = opened;
        if (watch.isOver || this.#closing.signal.aborted) opened.cancel();
        return this.#consume(opened, watch);
      });
      consuming.catch(() => undefined);
      const ending = await Promise.race([consuming, watch.silence()]);
      if (ending !== 'store_silent') return ending;
      call?.cancel();
      // The handler under way is waited for, so that there are never two.
      await consuming.catch(() => undefined);
      return ending;
    } catch (error) {
      failed = failureOf(error).isConnectionSuspect;
      throw error;
    } finally {
      watch.end();
      call?.cancel();
      this.#closing.signal.removeEventListener('abort', closed);
      release(failed && !this.#closing.signal.aborted);
    }
  }

  async #consume(call: ReadCall, watch: SilenceWatch): Promise<Ending> {
    const messages: AsyncIterable<ReadResp> = call;
    for await (const message of messages) {
      if (watch.isOver || this.#closing.signal.aborted) break;
      const handled = watch.handling(() => this.#handle(message, watch));
      if (!(await handled)) return 'unusable_event';
    }
    return 'ended_by_server';
  }

  async #handle(message: ReadResp, watch: SilenceWatch): Promise<boolean> {
    const { follow, followed } = this.#options;
    const checkpoint = message.getCheckpoint();
    if (message.hasConfirmation()) this.#sayDown(false);
    else if (message.hasCaughtUp()) watch.caughtUp();
    else if (checkpoint !== undefined) {
      followed.passedPosition(checkpoint.getCommitPosition());
      this.#backoff.reset();
      if ('prefixes' in follow.of) await follow.onCheckpoint?.(checkpoint.getCommitPosition());
    } else if (message.hasEvent()) {
      const event = recordedEvent(message.getEvent());
      if (event === undefined) return false;
      if (!followed.isNext(event)) return true;
      await follow.onEvent(event);
      followed.passed(event);
      this.#backoff.reset();
    }
    return true;
  }

  #sayCaughtUp(): void {
    this.#backoff.reset();
    if (!this.#closing.signal.aborted) this.#options.follow.onCaughtUp?.();
  }

  #sayDown(down: boolean): void {
    if (this.#isDown === down) return;
    this.#isDown = down;
    this.#options.follow.onDown?.(down);
  }
}
