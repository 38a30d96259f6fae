import type {
  AppendOutcome,
  EventStore,
  EventToAppend,
  ExpectedRevision,
  Following,
  FollowOptions,
  ReadAllOptions,
  ReadOutcome,
  ReadStreamOptions,
} from '@writ/runtime';
import { assertAppend, assertFollow, assertPageSize, assertStreamName, encodeAppend } from '../preconditions';
import { InMemoryFollowing } from './following';
import type { StoreInterceptor } from './interceptor';
import { InMemoryLog } from './log';

export interface InMemoryOptions {
  /** Shared between stores that stand for several clients of one server; a new one if left out. */
  readonly log?: InMemoryLog;
  readonly intercept?: StoreInterceptor;
}

/**
 * Reference implementation of the port: one try per append, as the adapter for EventStoreDB before `resolving`.
 * Without an interceptor it always answers, in the order of the calls, and uses no timers at all.
 */
export class InMemoryEventStore implements EventStore {
  readonly log: InMemoryLog;
  readonly #intercept: StoreInterceptor;
  readonly #followings = new Set<InMemoryFollowing>();
  #down = false;
  #closed = false;

  constructor({ log = new InMemoryLog(), intercept = {} }: InMemoryOptions = {}) {
    this.log = log;
    this.#intercept = intercept;
  }

  /** Cuts this client off from the log (`true`), as a lost connection does, or connects it again. */
  setDown(down: boolean): void {
    this.#down = down;
    for (const following of this.#followings) following.setDown(down);
  }

  async append(
    stream: string,
    expected: ExpectedRevision,
    events: readonly EventToAppend[],
  ): Promise<AppendOutcome> {
    assertAppend(stream, expected, events);
    const encoded = encodeAppend(events);
    if (encoded === undefined) return { outcome: 'refused', cause: 'append_too_large' };
    const proceed = (): AppendOutcome =>
      this.#reachable ? this.log.append(stream, expected, encoded.events) : unknown();
    return this.#intercept.append?.({ stream, expected, events }, proceed) ?? proceed();
  }

  async readStream(stream: string, options: ReadStreamOptions): Promise<ReadOutcome> {
    assertStreamName(stream);
    assertPageSize(options.maxCount);
    const proceed = (): ReadOutcome =>
      this.#reachable ? this.log.readStream(stream, options) : unavailable();
    return this.#intercept.readStream?.(stream, options, proceed) ?? proceed();
  }

  async readAll(options: ReadAllOptions): Promise<ReadOutcome> {
    assertPageSize(options.maxCount);
    const proceed = (): ReadOutcome => (this.#reachable ? this.log.readAll(options) : unavailable());
    return this.#intercept.readAll?.(options, proceed) ?? proceed();
  }

  follow(options: FollowOptions): Following {
    assertFollow(options);
    const following = new InMemoryFollowing(
      this.log,
      options,
      this.#intercept.deliver?.bind(this.#intercept),
    );
    this.#followings.add(following);
    if (!this.#reachable) following.setDown(true);
    return {
      close: () => {
        this.#followings.delete(following);
        return following.close();
      },
    };
  }

  async capStream(stream: string, maxCount: number): Promise<AppendOutcome> {
    assertStreamName(stream);
    return this.#reachable ? this.log.cap(stream, maxCount) : unknown();
  }

  async ping(): Promise<boolean> {
    const proceed = (): boolean => this.#reachable;
    return this.#intercept.ping?.(proceed) ?? proceed();
  }

  async close(): Promise<void> {
    this.#closed = true;
    const open = [...this.#followings];
    this.#followings.clear();
    await Promise.all(open.map((following) => following.close()));
  }

  get #reachable(): boolean {
    return !this.#down && !this.#closed;
  }
}

const unknown = (): AppendOutcome => ({ outcome: 'unknown', cause: 'store_unavailable' });
const unavailable = (): ReadOutcome => ({ outcome: 'unavailable', cause: 'store_unavailable' });
