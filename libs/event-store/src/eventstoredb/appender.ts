import type { AppendOutcome, Clock, Entropy, ExpectedRevision, Log } from '@writ/runtime';
import { APPEND_BYTES_IN_FLIGHT, APPENDS_IN_FLIGHT } from '../limits';
import type { EncodedAppend } from '../preconditions';
import { AppendLine } from './append-line';
import { appendRequest, type AppendMessage } from './append-message';
import type { Connection } from './connection';
import { Expiries } from './expiries';
import { failureOf, type Failure } from './failures';

export interface AppenderOptions {
  readonly connection: Connection;
  readonly clock: Clock;
  readonly entropy: Entropy;
  readonly appendTimeoutMs: number;
  readonly log: Pick<Log, 'warn'> | undefined;
}

const timedOut: AppendOutcome = { outcome: 'unknown', cause: 'store_timeout' };
const unavailable: AppendOutcome = { outcome: 'unknown', cause: 'store_unavailable' };

/**
 * Tries appends once each, all on one line. One that gets no answer in time is unknown, and if nobody else got an
 * answer meanwhile the line is left for a new one on a new connection: a frozen server or a half-open connection must
 * not hold up what comes after. Those that wait on the old line go on waiting, each for its own time.
 */
export class Appender {
  readonly #options: AppenderOptions;
  #line: AppendLine | undefined;
  #opening: Promise<AppendLine | undefined> | undefined;
  #inFlight = 0;
  #bytesInFlight = 0;
  #closed = false;
  readonly #expiries: Expiries;

  constructor(options: AppenderOptions) {
    this.#options = options;
    this.#expiries = new Expiries(options.clock, options.appendTimeoutMs);
  }

  async append(stream: string, expected: ExpectedRevision, encoded: EncodedAppend): Promise<AppendOutcome> {
    if (this.#closed || this.#isFull(encoded.bytes)) return unavailable;
    this.#inFlight += 1;
    this.#bytesInFlight += encoded.bytes;
    try {
      return await this.#tryOnce({ stream, expected, events: encoded.events });
    } finally {
      this.#inFlight -= 1;
      this.#bytesInFlight -= encoded.bytes;
    }
  }

  /** Takes no more appends; the outcome of those on their way is unknown. */
  close(): void {
    this.#closed = true;
    this.#line?.end();
    this.#options.connection.close();
    this.#expiries.close();
  }

  #isFull(bytes: number): boolean {
    return this.#inFlight >= APPENDS_IN_FLIGHT || this.#bytesInFlight + bytes > APPEND_BYTES_IN_FLIGHT;
  }

  #tryOnce(append: Omit<AppendMessage, 'correlationId'>): Promise<AppendOutcome> {
    const correlationId = this.#options.entropy.uuid();
    return new Promise((resolve) => {
      let sent: { line: AppendLine; answersBefore: number } | undefined;
      const expiry = this.#expiries.add(() => {
        this.#expired(correlationId, sent);
        resolve(timedOut);
      });
      const settle = (outcome: AppendOutcome) => {
        expiry.cancel();
        resolve(outcome);
      };
      const send = (line: AppendLine | undefined) => {
        if (line === undefined) return settle(unavailable);
        sent = { line, answersBefore: line.answers };
        line.send(appendRequest({ correlationId, ...append }), { correlationId, settle });
      };
      if (this.#line !== undefined) send(this.#line);
      else void this.#openLine().then(send);
    });
  }

  #expired(
    correlationId: string,
    sent: { readonly line: AppendLine; readonly answersBefore: number } | undefined,
  ): void {
    this.#options.log?.warn('store_append_timed_out', { timeoutMs: this.#options.appendTimeoutMs });
    sent?.line.forget(correlationId);
    if (sent === undefined) this.#opening = undefined;
    else if (sent.line.answers === sent.answersBefore) this.#leave(sent.line);
  }

  /** One opening for all that wait; one that takes too long is left to itself. */
  #openLine(): Promise<AppendLine | undefined> {
    if (this.#opening !== undefined) return this.#opening;
    const opening = this.#newLine().then((line) => {
      const isWanted = this.#opening === opening && !this.#closed;
      if (isWanted) this.#line = line;
      else line?.retire();
      if (this.#opening === opening) this.#opening = undefined;
      return line;
    });
    this.#opening = opening;
    return opening;
  }

  async #newLine(): Promise<AppendLine | undefined> {
    const { connection } = this.#options;
    const link = connection.link;
    try {
      const call = await link.openAppends();
      const line: AppendLine = new AppendLine({ link, call, onOver: (failure) => this.#over(line, failure) });
      return line;
    } catch (error) {
      if (failureOf(error).isConnectionSuspect) connection.leave(link);
      return undefined;
    }
  }

  #over(line: AppendLine, failure: Failure | undefined): void {
    if (this.#line === line) this.#line = undefined;
    if (!this.#closed) this.#options.log?.warn('store_appends_broke_off', { code: failure?.code ?? 0 });
    if (failure?.isConnectionSuspect === true) this.#options.connection.leave(line.link);
  }

  #leave(line: AppendLine): void {
    if (this.#line === line) this.#line = undefined;
    line.retire();
    this.#options.connection.leave(line.link);
  }
}
