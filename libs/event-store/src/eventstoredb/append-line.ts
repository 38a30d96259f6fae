import type { BatchAppendReq, BatchAppendResp } from '@eventstore/db-client/generated/streams_pb';
import type { AppendOutcome, StoreCause } from '@writ/runtime';
import { appendOutcome } from './append-message';
import type { AppendCall, Link } from './connection';
import { failureOf, type Failure } from './failures';
import { uuidText } from './uuid';

export interface AppendLineOptions {
  readonly link: Link;
  readonly call: AppendCall;
  /** The line is over, for everybody on it; `failure` is undefined where the server ended it politely. */
  onOver(failure: Failure | undefined): void;
}

/** Who waits for an answer. */
export interface Sender {
  readonly correlationId: string;
  settle(outcome: AppendOutcome): void;
}

/**
 * One BatchAppend call: many appends on their way, answers matched by correlation id. Whoever waits no longer is
 * forgotten, and an answer that comes all the same is dropped. When the call breaks or ends, all that wait are unknown.
 */
export class AppendLine {
  readonly link: Link;
  readonly #call: AppendCall;
  readonly #waiting = new Map<string, (outcome: AppendOutcome) => void>();
  #answers = 0;
  #isRetired = false;
  #overCause: StoreCause | undefined;

  constructor({ link, call, onOver }: AppendLineOptions) {
    this.link = link;
    this.#call = call;
    const over = (failure: Failure | undefined) => {
      if (this.#overCause !== undefined) return;
      this.#over(failure?.cause ?? 'store_unavailable');
      onOver(failure);
    };
    call.on('data', (response: BatchAppendResp) => this.#answered(response));
    call.once('error', (error: unknown) => over(failureOf(error)));
    call.once('end', () => over(undefined));
  }

  /** How many answers have come so far, to anybody: a line that answers others is not broken. */
  get answers(): number {
    return this.#answers;
  }

  send(request: BatchAppendReq, { correlationId, settle }: Sender): void {
    if (this.#overCause !== undefined) return settle({ outcome: 'unknown', cause: this.#overCause });
    this.#waiting.set(correlationId, settle);
    this.#call.write(request);
  }

  forget(correlationId: string): void {
    this.#waiting.delete(correlationId);
    this.#endIfIdle();
  }

  /** Takes no new appends; ends when the last one that waits is answered or forgotten. */
  retire(): void {
    this.#isRetired = true;
    this.#endIfIdle();
  }

  /** What waits is unknown. */
  end(): void {
    this.#over('store_unavailable');
  }

  #answered(response: BatchAppendResp): void {
    this.#answers += 1;
    const correlationId = uuidText(response.getCorrelationId());
    if (correlationId === undefined) return;
    this.#waiting.get(correlationId)?.(appendOutcome(response));
    this.forget(correlationId);
  }

  #endIfIdle(): void {
    if (this.#isRetired && this.#waiting.size === 0) this.#call.cancel();
  }

  #over(cause: StoreCause): void {
    this.#overCause = cause;
    for (const answer of this.#waiting.values()) answer({ outcome: 'unknown', cause });
    this.#waiting.clear();
    // The server has ended its half; ours must end too, or the call stays open.
    this.#call.cancel();
  }
}
