import type {
  AppendOutcome,
  Clock,
  Entropy,
  EventStore,
  EventToAppend,
  ExpectedRevision,
  Following,
  FollowOptions,
  Log,
  ReadAllOptions,
  ReadOutcome,
  ReadStreamOptions,
} from '@writ/runtime';
import {
  assertAppend,
  assertEventIds,
  assertFollow,
  assertPageSize,
  assertStreamName,
  encodeAppend,
} from '../preconditions';
import { resolving } from '../resolving/resolving';
import { Appender } from './appender';
import { capStream } from './cap-stream';
import { Connection } from './connection';
import { followed } from './followed';
import { Follower } from './follower';
import { Reader } from './reader';
import { SubscriptionLinks } from './subscription-links';

export interface ConnectOptions {
  /** `esdb://…` as the official client takes it (`WRIT_EVENTSTORE_URL`); its deadlines and `keepAliveTimeout` have no effect. */
  readonly url: string;
  /** Milliseconds of one try of an append, and of a read's first answer (`WRIT_APPEND_TIMEOUT_MS`). */
  readonly appendTimeoutMs: number;
  /** Milliseconds of all tries of one append (`WRIT_APPEND_RESOLVE_MS`). */
  readonly resolveMs: number;
  readonly clock: Clock;
  readonly entropy: Entropy;
  readonly log?: Log;
}

/**
 * The store behind the URL; unknown appends are resolved. Connects with the first call, and again by itself. One per
 * process: all appends share one line.
 *
 * @throws TypeError where the URL is none
 */
export function connectEventStore(options: ConnectOptions): EventStore {
  return resolving(new SingleTryStore(options), { ...options, boundsItsTries: true });
}

/** EventStoreDB behind the port, each append tried once. */
export class SingleTryStore implements EventStore {
  readonly #options: ConnectOptions;
  readonly #appender: Appender;
  readonly #reader: Reader;
  readonly #links: SubscriptionLinks;
  readonly #followers = new Set<Follower>();

  constructor(options: ConnectOptions) {
    const { url, clock, entropy, appendTimeoutMs, log } = options;
    this.#options = options;
    this.#appender = new Appender({ connection: new Connection(url), clock, entropy, appendTimeoutMs, log });
    this.#reader = new Reader({ connection: new Connection(url), clock, timeoutMs: appendTimeoutMs, log });
    this.#links = new SubscriptionLinks(url);
  }

  async append(
    stream: string,
    expected: ExpectedRevision,
    events: readonly EventToAppend[],
  ): Promise<AppendOutcome> {
    assertAppend(stream, expected, events);
    assertEventIds(events);
    const encoded = encodeAppend(events);
    if (encoded === undefined) return { outcome: 'refused', cause: 'append_too_large' };
    return this.#appender.append(stream, expected, encoded);
  }

  async readStream(stream: string, options: ReadStreamOptions): Promise<ReadOutcome> {
    assertStreamName(stream);
    assertPageSize(options.maxCount);
    return this.#reader.readStream(stream, options);
  }

  async readAll(options: ReadAllOptions): Promise<ReadOutcome> {
    assertPageSize(options.maxCount);
    return this.#reader.readAll(options);
  }

  follow(options: FollowOptions): Following {
    assertFollow(options);
    const { clock, entropy, log, appendTimeoutMs } = this.#options;
    const follower = new Follower({
      follow: options,
      followed: followed(options, this.#reader),
      links: this.#links,
      clock,
      entropy,
      log,
      timeoutMs: appendTimeoutMs,
    });
    this.#followers.add(follower);
    return {
      close: () => {
        this.#followers.delete(follower);
        return follower.close();
      },
    };
  }

  async capStream(stream: string, maxCount: number): Promise<AppendOutcome> {
    assertStreamName(stream);
    const { entropy } = this.#options;
    return capStream(stream, maxCount, { appender: this.#appender, reader: this.#reader, entropy });
  }

  async ping(): Promise<boolean> {
    const head = await this.#reader.readLog('everything', {
      direction: 'backwards',
      from: 'end',
      maxCount: 1,
    });
    return head.outcome === 'events';
  }

  async close(): Promise<void> {
    const open = [...this.#followers];
    this.#followers.clear();
    await Promise.all(open.map((follower) => follower.close()));
    this.#appender.close();
    this.#reader.close();
    this.#links.close();
  }
}
