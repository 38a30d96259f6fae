import type { RecordedEvent } from '@writ/contracts';
import type { Following, FollowOptions } from '@writ/runtime';
import type { StoreInterceptor } from './interceptor';
import type { InMemoryLog } from './log';

/** Events considered between two checkpoints of a follower that nothing of it matched. */
const CHECKPOINT_EVERY = 32;

/** One follower of the log: events in order, each awaited, no timers. */
export class InMemoryFollowing implements Following {
  readonly #log: InMemoryLog;
  readonly #options: FollowOptions;
  readonly #deliver: NonNullable<StoreInterceptor['deliver']>;
  readonly #stopListening: () => void;
  /** Index in the log of the next event to consider. */
  #next: number;
  #pumping: Promise<void> | undefined;
  #closed = false;
  #down = false;
  #caughtUpSaid = false;
  /** A handler has failed: its event is delivered again with the next append, as after a lost connection. */
  #stalled = false;

  constructor(log: InMemoryLog, options: FollowOptions, deliver: StoreInterceptor['deliver']) {
    this.#log = log;
    this.#options = options;
    this.#deliver = deliver ?? ((_, proceed) => proceed());
    this.#next = firstToConsider(log, options);
    this.#stopListening = log.onAppended(() => {
      this.#stalled = false;
      this.#pump();
    });
    this.#pump();
  }

  /** Takes the connection away or gives it back; what was missed is delivered then. */
  setDown(down: boolean): void {
    if (this.#closed || down === this.#down) return;
    this.#down = down;
    this.#options.onDown?.(down);
    this.#caughtUpSaid = false;
    this.#stalled = false;
    this.#pump();
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#stopListening();
    await this.#pumping;
  }

  #pump(): void {
    this.#passBy();
    if (this.#pumping === undefined && this.#hasWork()) this.#pumping = this.#run();
  }

  /** Goes on over what is of no concern here: most appends wake a follower for nothing. */
  #passBy(): void {
    if (this.#pumping !== undefined) return;
    for (let event = this.#event(); event !== undefined && !this.#concerns(event); event = this.#event())
      this.#next += 1;
  }

  #event(): RecordedEvent | undefined {
    return this.#log.events[this.#next];
  }

  #concerns(event: RecordedEvent): boolean {
    return isFollowed(this.#options, event) || this.#next % CHECKPOINT_EVERY === 0;
  }

  #hasWork(): boolean {
    if (this.#closed || this.#down || this.#stalled) return false;
    return this.#next < this.#log.events.length || !this.#caughtUpSaid;
  }

  async #run(): Promise<void> {
    // The follower's creator first gets hold of what `follow` returns.
    await Promise.resolve();
    while (this.#hasWork()) {
      const event = this.#event();
      if (event === undefined) this.#sayCaughtUp();
      else if (this.#concerns(event)) await this.#consider(event);
      else this.#next += 1;
    }
    this.#pumping = undefined;
  }

  async #consider(event: RecordedEvent): Promise<void> {
    const index = this.#next;
    try {
      if (isFollowed(this.#options, event)) await this.#deliver(event, () => this.#hear(event));
      else if ('prefixes' in this.#options.of) await this.#options.onCheckpoint?.(event.position);
    } catch {
      this.#stalled = true;
      return;
    }
    this.#next = index + 1;
  }

  async #hear(event: RecordedEvent): Promise<void> {
    if (!this.#closed) await this.#options.onEvent(event);
  }

  #sayCaughtUp(): void {
    this.#caughtUpSaid = true;
    this.#options.onCaughtUp?.();
  }
}

function isFollowed({ of, after }: FollowOptions, event: RecordedEvent): boolean {
  if ('prefixes' in of) return of.prefixes.some((prefix) => event.stream.startsWith(prefix));
  return event.stream === of.stream && (typeof after !== 'number' || event.revision > after);
}

function firstToConsider(log: InMemoryLog, { of, after }: FollowOptions): number {
  if (after === 'end') return log.events.length;
  return 'prefixes' in of && typeof after === 'string' && after !== 'start' ? log.indexAfter(after) : 0;
}
