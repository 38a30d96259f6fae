import type { ReadReq } from '@eventstore/db-client/generated/streams_pb';
import type { RecordedEvent } from '@writ/contracts';
import type { FollowOptions, ReadOutcome } from '@writ/runtime';
import { followAllRequest, followStreamRequest } from './read-request';
import type { Reader } from './reader';

/**
 * What is followed, and how far it is known. `end` is made a place before anything is subscribed to, so that a
 * connection lost early loses no event.
 */
export interface Followed {
  /** Subscribes behind what is known. */
  request(): ReadReq;
  /** Whether the event is new, and wanted at all. */
  isNext(event: RecordedEvent): boolean;
  /** Everything up to this event, or this log position, has been handled. */
  passed(event: RecordedEvent): void;
  passedPosition(position: string): void;
  /** The first event behind what is known, read from the store. */
  readNext(): Promise<ReadOutcome>;
  /** Finds the place that `end` means; false while the store does not answer. */
  pin(): Promise<boolean>;
}

export function followed({ of, after }: FollowOptions, reader: Reader): Followed {
  return 'stream' in of ? new OneStream(of.stream, after, reader) : new Prefixes(of.prefixes, after, reader);
}

class OneStream implements Followed {
  #after: number | 'start' | 'end';

  constructor(
    private readonly stream: string,
    after: FollowOptions['after'],
    private readonly reader: Reader,
  ) {
    this.#after = typeof after === 'number' || after === 'end' ? after : 'start';
  }

  request(): ReadReq {
    return followStreamRequest(this.stream, this.#after === 'end' ? 'start' : this.#after);
  }

  isNext(event: RecordedEvent): boolean {
    return event.stream === this.stream && event.revision > this.#last;
  }

  passed(event: RecordedEvent): void {
    this.#after = event.revision;
  }

  passedPosition(): void {
    // A stream is known by revisions.
  }

  readNext(): Promise<ReadOutcome> {
    return this.reader.readStream(this.stream, { direction: 'forwards', from: this.#last + 1, maxCount: 1 });
  }

  async pin(): Promise<boolean> {
    if (this.#after !== 'end') return true;
    const read = await this.reader.readStream(this.stream, {
      direction: 'backwards',
      from: 'end',
      maxCount: 1,
    });
    if (read.outcome === 'unavailable') return false;
    this.#after = (read.outcome === 'events' ? read.events[0]?.revision : undefined) ?? 'start';
    return true;
  }

  get #last(): number {
    return typeof this.#after === 'number' ? this.#after : -1;
  }
}

class Prefixes implements Followed {
  #after: string;

  constructor(
    private readonly prefixes: readonly string[],
    after: FollowOptions['after'],
    private readonly reader: Reader,
  ) {
    this.#after = String(after);
  }

  request(): ReadReq {
    return followAllRequest(this.prefixes, this.#after);
  }

  isNext(event: RecordedEvent): boolean {
    return this.#isBehind(event.position) && this.prefixes.some((prefix) => event.stream.startsWith(prefix));
  }

  passed(event: RecordedEvent): void {
    this.#after = event.position;
  }

  passedPosition(position: string): void {
    if (this.#isBehind(position)) this.#after = position;
  }

  /** A read begins at the place itself, so one more is asked for. */
  async readNext(): Promise<ReadOutcome> {
    const read = await this.reader.readLog(this.prefixes, {
      direction: 'forwards',
      from: this.#after,
      maxCount: 2,
    });
    if (read.outcome !== 'events') return read;
    return { outcome: 'events', events: read.events.filter((event) => this.isNext(event)) };
  }

  async pin(): Promise<boolean> {
    if (this.#after !== 'end') return true;
    const read = await this.reader.readLog('everything', {
      direction: 'backwards',
      from: 'end',
      maxCount: 1,
    });
    if (read.outcome !== 'events') return false;
    this.#after = read.events[0]?.position ?? 'start';
    return true;
  }

  #isBehind(position: string): boolean {
    return this.#after === 'start' || BigInt(position) > BigInt(this.#after);
  }
}
