import { type AppendReq, AppendResp } from '@eventstore/db-client/generated/streams_pb';
import { Empty } from '@eventstore/db-client/generated/shared_pb';
import { Metadata, type sendUnaryData, type ServerReadableStream, type ServiceError } from '@grpc/grpc-js';
import type { Expected } from '../engine/check-append';
import type { ProposedEvent, WriteOutcome } from '../engine/event-writer';
import { MAX_APPEND_BYTES, MAX_EVENTS_PER_APPEND } from '../limits';
import { BAD_STREAM_NAME, readEvent, readExpected, writableStream } from './append-request';
import type { CallContext, OpenCall } from './call-context';
import {
  appendTooLarge,
  invalidArgument,
  missingMetadata,
  notReady,
  streamDeleted,
  tooBusy,
  unknownError,
} from './errors';
import { performAppend } from './perform-append';

type AppendCall = ServerReadableStream<AppendReq, AppendResp>;
type Answer = (error: ServiceError | null, response?: AppendResp) => void;

interface CollectedAppend {
  stream?: string;
  expected?: Expected;
  events: ProposedEvent[];
  bytes: number;
  error?: ServiceError;
}

/** One append per call: options first, then one message per event; stored when the client has sent all. */
export function handleAppend(
  call: AppendCall,
  callback: sendUnaryData<AppendResp>,
  context: CallContext,
): void {
  const pending = new PendingAnswer(callback);
  const answer: Answer = (error, response) => pending.give(error, response);
  const append: CollectedAppend = { events: [], bytes: 0 };
  const crash = (): void => answer(unknownError());
  context.track(pending);
  call.on('cancelled', () => pending.drop());
  call.on('error', () => undefined);
  call.on('data', (request: AppendReq) => context.guard(() => collect(append, request), crash));
  call.on('end', () => {
    afterCancellation(call, () => {
      perform(append, { call, answer, context }).catch((error: unknown) => {
        context.report(error);
        crash();
      });
    });
  });
}

/**
 * A client that went away in the middle of its events has not made an append. grpc-js reports the end of the broken
 * stream like an orderly one, and the cancellation only afterwards: sending the headers makes it look, and it tells
 * within the same turn of the loop. (A client on Node that *cancels* ends its stream in order and resets it in the
 * next frame; where the two do not arrive together no server can tell.)
 */
function afterCancellation(call: AppendCall, proceed: () => void): void {
  call.sendMetadata(new Metadata());
  setImmediate(() => {
    if (!call.cancelled) proceed();
  });
}

/** A stop of the server, a cancellation and the answer may race; grpc-js takes only one. */
class PendingAnswer implements OpenCall {
  private over = false;
  private readonly listeners: (() => void)[] = [];

  constructor(private readonly callback: sendUnaryData<AppendResp>) {}

  give(error: ServiceError | null, response?: AppendResp): void {
    if (this.over) return;
    this.drop();
    this.callback(error, response);
  }

  fail(error: ServiceError): void {
    this.give(error);
  }

  /** Nobody waits for an answer any more. */
  drop(): void {
    this.over = true;
    for (const listener of this.listeners.splice(0)) listener();
  }

  onClose(listener: () => void): void {
    this.listeners.push(listener);
  }
}

function collect(append: CollectedAppend, request: AppendReq): void {
  const options = request.getOptions();
  if (options !== undefined) {
    append.stream = writableStream(options.getStreamIdentifier());
    append.expected = readExpected(options, options.hasRevision() ? options.getRevision() : undefined);
  }
  const message = request.getProposedMessage();
  if (message === undefined) return;
  const reading = readEvent(message);
  if (reading.kind !== 'ok') {
    append.error ??= reading.kind === 'invalid' ? invalidArgument(reading.problem) : missingMetadata();
    return;
  }
  append.bytes += reading.event.data.length + reading.event.metadata.length;
  if (append.events.length >= MAX_EVENTS_PER_APPEND) append.bytes = Infinity;
  if (append.bytes <= MAX_APPEND_BYTES) append.events.push(reading.event);
}

interface AppendParts {
  call: AppendCall;
  answer: Answer;
  context: CallContext;
}

async function perform(append: CollectedAppend, parts: AppendParts): Promise<void> {
  const { stream, expected, events } = append;
  const { call, answer, context } = parts;
  if (append.error !== undefined) return answer(append.error);
  if (stream === undefined) return answer(invalidArgument(BAD_STREAM_NAME));
  if (expected === undefined) return answer(invalidArgument('no expected revision'));
  if (append.bytes > MAX_APPEND_BYTES) return answer(appendTooLarge());
  await performAppend(
    context,
    { stream, expected, events },
    {
      outcome: (outcome) => {
        const error = errorOf(outcome, stream);
        if (error === undefined) answer(null, responseOf(outcome, expected));
        else answer(error);
      },
      unavailable: () => answer(notReady()),
      disconnect: () => context.disconnect(call.getPeer()),
    },
  );
}

function errorOf(outcome: WriteOutcome, stream: string): ServiceError | undefined {
  switch (outcome.kind) {
    case 'written':
    case 'wrong_expected_version':
      return undefined;
    case 'stream_deleted':
      return streamDeleted(stream);
    case 'too_large':
      return appendTooLarge();
    case 'too_busy':
      return tooBusy();
    case 'not_ready':
      return notReady();
  }
}

/** A wrong version is no error here: the real server answers OK and says so in the message. */
function responseOf(outcome: WriteOutcome, expected: Expected): AppendResp {
  if (outcome.kind === 'wrong_expected_version') {
    return new AppendResp().setWrongExpectedVersion(wrongVersion(outcome.current, expected));
  }
  const success = new AppendResp.Success();
  if (outcome.kind !== 'written') return new AppendResp().setSuccess(success);
  if (outcome.lastRevision < 0) success.setNoStream(new Empty());
  else success.setCurrentRevision(String(outcome.lastRevision));
  if (outcome.position === undefined) {
    success.setNoPosition(new Empty());
  } else {
    const position = new AppendResp.Position();
    position.setCommitPosition(String(outcome.position));
    position.setPreparePosition(String(outcome.position));
    success.setPosition(position);
  }
  return new AppendResp().setSuccess(success);
}

function wrongVersion(current: number, expected: Expected): AppendResp.WrongExpectedVersion {
  const details = new AppendResp.WrongExpectedVersion();
  if (current < 0) details.setCurrentNoStream(new Empty());
  else details.setCurrentRevision(String(current));
  switch (expected.kind) {
    case 'any':
      return details.setExpectedAny(new Empty());
    case 'stream_exists':
      return details.setExpectedStreamExists(new Empty());
    case 'no_stream':
      return details.setExpectedNoStream(new Empty());
    case 'revision':
      return details.setExpectedRevision(String(expected.revision));
  }
}
