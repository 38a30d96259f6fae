import type { BatchAppendReq, BatchAppendResp } from '@eventstore/db-client/generated/streams_pb';
import type { ServerDuplexStream } from '@grpc/grpc-js';
import type { ProposedEvent } from '../engine/event-writer';
import {
  MAX_APPEND_BYTES,
  MAX_EVENTS_PER_APPEND,
  MAX_PARTIAL_APPENDS_PER_STREAM,
  MAX_PENDING_APPENDS_PER_STREAM,
} from '../limits';
import { BAD_STREAM_NAME, readEvent, readExpected, writableStream } from './append-request';
import {
  badRequestResponse,
  type BatchAppendTicket,
  outcomeResponse,
  unavailableResponse,
} from './batch-append-response';
import type { CallContext } from './call-context';
import { invalidArgument, unknownError } from './errors';
import { type Outbox, outboxOf } from './outbox';
import { performAppend } from './perform-append';
import { uuidBytes } from './uuid';

type BatchAppendCall = ServerDuplexStream<BatchAppendReq, BatchAppendResp>;

/** An append whose pieces are still arriving. */
interface PartialAppend {
  ticket: BatchAppendTicket;
  events: ProposedEvent[];
  bytes: number;
  problem?: string;
}

/** One BatchAppend stream: all appends of one client, interleaved, each answered by its correlation id. */
export function handleBatchAppend(call: BatchAppendCall, context: CallContext): void {
  const stream = new BatchAppendStream(call, context);
  call.on('data', (request: BatchAppendReq) => context.guard(() => stream.receive(request), stream.crash));
  call.on('end', () => stream.finish());
}

class BatchAppendStream {
  private readonly outbox: Outbox<BatchAppendResp>;
  private readonly partials = new Map<string, PartialAppend>();
  private pending = 0;
  private ended = false;

  constructor(
    private readonly call: BatchAppendCall,
    private readonly context: CallContext,
  ) {
    this.outbox = outboxOf(call);
    context.track(this.outbox);
  }

  readonly crash = (): void => this.outbox.fail(unknownError());

  receive(request: BatchAppendReq): void {
    const id = uuidBytes(request.getCorrelationId())?.toString('latin1');
    if (id === undefined) return this.outbox.fail(invalidArgument('a batch append has no correlation id'));
    const append = this.partials.get(id) ?? this.open(request);
    if (append === undefined) return;
    this.collect(append, request);
    if (request.getIsFinal()) {
      this.partials.delete(id);
      void this.perform(append);
    } else {
      this.partials.set(id, append);
    }
  }

  finish(): void {
    this.ended = true;
    if (this.pending === 0) this.outbox.end();
  }

  private open(request: BatchAppendReq): PartialAppend | undefined {
    const options = request.getOptions();
    if (options === undefined) {
      this.outbox.fail(invalidArgument('the first piece of a batch append has no options'));
      return undefined;
    }
    if (this.partials.size >= MAX_PARTIAL_APPENDS_PER_STREAM) {
      this.outbox.fail(invalidArgument('too many unfinished batch appends on one stream'));
      return undefined;
    }
    return { ticket: { correlationId: request.getCorrelationId(), options }, events: [], bytes: 0 };
  }

  /** What is too large to be stored is not kept either; the answer waits for the last piece. */
  private collect(append: PartialAppend, request: BatchAppendReq): void {
    for (const message of request.getProposedMessagesList()) {
      const reading = readEvent(message);
      if (reading.kind !== 'ok') {
        append.problem ??=
          reading.kind === 'invalid' ? reading.problem : 'an event has no type or no content-type';
        continue;
      }
      append.bytes += reading.event.data.length + reading.event.metadata.length;
      if (append.events.length >= MAX_EVENTS_PER_APPEND) append.bytes = Infinity;
      if (append.bytes <= MAX_APPEND_BYTES) append.events.push(reading.event);
    }
  }

  private async perform(append: PartialAppend): Promise<void> {
    this.pending += 1;
    if (this.pending >= MAX_PENDING_APPENDS_PER_STREAM) this.call.pause();
    try {
      await this.answer(append);
    } catch (error) {
      this.context.report(error);
      this.crash();
    }
    this.pending -= 1;
    if (this.call.isPaused() && this.pending < MAX_PENDING_APPENDS_PER_STREAM) this.call.resume();
    if (this.ended && this.pending === 0) this.outbox.end();
  }

  private async answer({ ticket, events, bytes, problem }: PartialAppend): Promise<void> {
    const { options } = ticket;
    const stream = writableStream(options.getStreamIdentifier());
    const revision = options.hasStreamPosition() ? options.getStreamPosition() : undefined;
    const expected = readExpected(options, revision);
    if (problem !== undefined) return this.send(badRequestResponse(ticket, problem));
    if (stream === undefined) return this.send(badRequestResponse(ticket, BAD_STREAM_NAME));
    if (expected === undefined) return this.send(badRequestResponse(ticket, 'no expected revision'));
    if (bytes > MAX_APPEND_BYTES) return this.send(outcomeResponse(ticket, { kind: 'too_large' }));
    await performAppend(
      this.context,
      { stream, expected, events },
      {
        outcome: (outcome) => this.send(outcomeResponse(ticket, outcome)),
        unavailable: () => this.send(unavailableResponse(ticket)),
        disconnect: () => this.context.disconnect(this.call.getPeer()),
      },
    );
  }

  private async send(response: BatchAppendResp): Promise<void> {
    await this.outbox.send(response);
  }
}
