import type { ReadReq, ReadResp } from '@eventstore/db-client/generated/streams_pb';
import type { RecordedEvent } from '@writ/contracts';
import type { Clock, Log, ReadAllOptions, ReadOutcome, ReadStreamOptions, StoreCause } from '@writ/runtime';
import type { Connection, Link, ReadCall } from './connection';
import { Expiries, type Expiry } from './expiries';
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
  readonly #expiries: Expiries;

  constructor(options: ReaderOptions) {
    this.#options = options;
    this.#expiries = new Expiries(options.clock, options.timeoutMs);
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

  close(): void {
    this.#expiries.close();
    this.#options.connection.close();
  }

  #read(request: ReadReq): Promise<Page | Unavailable> {
    const { link } = this.#options.connection;
    return new Promise((resolve) => {
      let call: ReadCall | undefined;
      let isOver = false;
      const finish = (outcome: Page | Unavailable) => {
        isOver = true;
        expiry.cancel();
        if ('outcome' in outcome) call?.cancel();
        resolve(outcome);
      };
      const expiry = this.#expiries.add(() => {
        finish(silent);
        this.#failed(link, silent.cause);
      });
      link
        .openRead(request)
        .then((opened) => {
          call = opened;
          if (isOver) opened.cancel();
          return collect(opened, expiry);
        })
        .then(finish, (error: unknown) => {
          const { cause, code, isConnectionSuspect } = failureOf(error);
          if (!isOver) this.#failed(isConnectionSuspect ? link : undefined, cause, code);
          finish({ outcome: 'unavailable', cause });
        });
    });
  }

  #failed(suspect: Link | undefined, cause: StoreCause, code?: number): void {
    const { connection, log } = this.#options;
    log?.warn('store_read_failed', { cause, code });
    if (suspect !== undefined) connection.leave(suspect);
  }
}

/** Every message begins the time for the next one anew. (By events, not `for await`: that costs a tenth of a read.) */
function collect(call: ReadCall, expiry: Expiry): Promise<Page | Unavailable> {
  const page: Page = { events: [], notFound: false, marked: false };
  return new Promise((resolve, reject) => {
    call.on('data', (message: ReadResp) => {
      expiry.renew();
      if (!takeInto(page, message)) resolve(incomplete);
    });
    call.once('error', reject);
    call.once('end', () => resolve(page));
  });
}

function takeInto(page: Page, message: ReadResp): boolean {
  if (message.hasStreamNotFound()) page.notFound = true;
  else if (message.hasLastStreamPosition()) page.marked = true;
  else if (message.hasEvent()) {
    const event = recordedEvent(message.getEvent());
    if (event === undefined) return false;
    page.events.push(event);
  }
  return true;
}

/** Events of a page follow one another and begin no earlier than asked for; a cap may have taken the first. */
function isWithoutGaps(events: readonly RecordedEvent[], { direction, from }: ReadStreamOptions): boolean {
  const step = direction === 'forwards' ? 1 : -1;
  const first = events[0]?.revision;
  if (first === undefined) return true;
  if (typeof from === 'number' && (direction === 'forwards' ? first < from : first > from)) return false;
  return events.every((event, index) => event.revision === first + index * step);
}
