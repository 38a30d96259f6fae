import type { ReadReq, ReadResp } from '@eventstore/db-client/generated/streams_pb';
import type { RecordedEvent } from '@writ/contracts';
import type { Clock, Log, ReadAllOptions, ReadOutcome, ReadStreamOptions } from '@writ/runtime';
import type { Connection, ReadCall } from './connection';
import { failureOf } from './failures';
import { readAllRequest, readStreamRequest, type LogSelection } from './read-request';
import { recordedEvent } from './recorded';

export interface ReaderOptions {
  readonly connection: Connection;
  readonly clock: Clock;
  /** Milliseconds for the first answer, and from each to the next. */
  readonly timeoutMs: number;
  readonly log: Pick<Log, 'warn'> | undefined;
}

type Unavailable = Extract<ReadOutcome, { outcome: 'unavailable' }>;

/** All messages of one read, up to its end. */
interface Page {
  readonly events: RecordedEvent[];
  notFound: boolean;
  /** The server has marked the end of the stream's page. */
  marked: boolean;
}

const incomplete: Unavailable = { outcome: 'unavailable', cause: 'store_unavailable' };
const silent: Unavailable = { outcome: 'unavailable', cause: 'store_timeout' };

/** Reads from the leader, each bounded in time, and either whole or `unavailable`. */
export class Reader {
  readonly #options: ReaderOptions;
  /** This server marks ends: one that is not marked is none. */
  #marksEnds = false;

  constructor(options: ReaderOptions) {
    this.#options = options;
  }

  async readStream(stream: string, options: ReadStreamOptions): Promise<ReadOutcome> {
    const page = await this.#read(readStreamRequest(stream, options));
    if ('outcome' in page) return page;
    if (page.notFound) return { outcome: 'not_found' };
    this.#marksEnds ||= page.marked;
    const brokeOff = this.#marksEnds && !page.marked && page.events.length < options.maxCount;
    if (!brokeOff && isWithoutGaps(page.events, options)) return { outcome: 'events', events: page.events };
    this.#options.log?.warn('store_read_incomplete', { stream, events: page.events.length });
    return incomplete;
  }

  async readAll({ direction, from, maxCount }: ReadAllOptions): Promise<ReadOutcome> {
    if (direction === 'forwards' || from === 'start' || from === 'end')
      return this.readLog('not_the_stores_own', { direction, from, maxCount });
    // A server reads backwards from behind an event; the one that begins at the position is asked for on its own.
    const at = await this.readLog('not_the_stores_own', { direction: 'forwards', from, maxCount: 1 });
    if (at.outcome !== 'events') return at;
    const included = at.events.filter((event) => event.position === from);
    if (included.length === maxCount) return at;
    const before = await this.readLog('not_the_stores_own', {
      direction,
      from,
      maxCount: maxCount - included.length,
    });
    return before.outcome === 'events' ? { ...before, events: [...included, ...before.events] } : before;
  }

  async readLog(selection: LogSelection, options: ReadAllOptions): Promise<ReadOutcome> {
    const page = await this.#read(readAllRequest(selection, options));
    return 'outcome' in page ? page : { outcome: 'events', events: page.events };
  }

  async #read(request: ReadReq): Promise<Page | Unavailable> {
    const { connection, clock, timeoutMs, log } = this.#options;
    const link = connection.link;
    const page: Page = { events: [], notFound: false, marked: false };
    const watch = new Watch(clock, timeoutMs);
    let call: ReadCall | undefined;
    const collecting = link.openRead(request).then((opened) => {
      call = opened;
      if (watch.isOver) opened.cancel();
      return collect(opened, page, watch);
    });
    try {
      const outcome = await Promise.race([collecting, watch.silence()]);
      if (outcome === 'whole') return page;
      if (outcome === 'unusable') return incomplete;
      connection.leave(link);
      return silent;
    } catch (error) {
      const { cause, code, isConnectionSuspect } = failureOf(error);
      log?.warn('store_read_failed', { cause, code });
      if (isConnectionSuspect) connection.leave(link);
      return { outcome: 'unavailable', cause };
    } finally {
      watch.end();
      collecting.catch(() => undefined);
      call?.cancel();
    }
  }
}

async function collect(call: ReadCall, page: Page, watch: Watch): Promise<'whole' | 'unusable'> {
  const messages: AsyncIterable<ReadResp> = call;
  for await (const message of messages) {
    watch.heard();
    if (message.hasStreamNotFound()) page.notFound = true;
    else if (message.hasLastStreamPosition()) page.marked = true;
    else if (message.hasEvent()) {
      const event = recordedEvent(message.getEvent());
      if (event === undefined) return 'unusable';
      page.events.push(event);
    }
  }
  return 'whole';
}

/** Ends when nothing was heard for `timeoutMs`; notices at the latest after twice that. */
class Watch {
  readonly #over = new AbortController();
  #heardCount = 0;

  constructor(
    private readonly clock: Clock,
    private readonly timeoutMs: number,
  ) {}

  get isOver(): boolean {
    return this.#over.signal.aborted;
  }

  heard(): void {
    this.#heardCount += 1;
  }

  end(): void {
    this.#over.abort();
  }

  async silence(): Promise<'silent'> {
    for (let before = -1; before !== this.#heardCount || before < 0;) {
      before = this.#heardCount;
      await this.clock.sleep(this.timeoutMs, this.#over.signal);
      if (this.isOver) break;
    }
    return 'silent';
  }
}

/** Events of a page follow one another and begin no earlier than asked for; a cap may have taken the first. */
function isWithoutGaps(events: readonly RecordedEvent[], { direction, from }: ReadStreamOptions): boolean {
  const step = direction === 'forwards' ? 1 : -1;
  const first = events[0]?.revision;
  if (first === undefined) return true;
  if (typeof from === 'number' && (direction === 'forwards' ? first < from : first > from)) return false;
  return events.every((event, index) => event.revision === first + index * step);
}
