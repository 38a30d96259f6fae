import {
  AllStreamPosition,
  BadRequest,
  MaximumAppendSizeExceeded,
  StreamDeleted,
  StreamIdentifier,
  type UUID,
  WrongExpectedVersion,
} from '@eventstore/db-client/generated/shared_pb';
import { Status } from '@eventstore/db-client/generated/status_pb';
import { type BatchAppendReq, BatchAppendResp } from '@eventstore/db-client/generated/streams_pb';
import { Code } from '@eventstore/db-client/generated/code_pb';
import { Any } from 'google-protobuf/google/protobuf/any_pb';
import { Empty } from 'google-protobuf/google/protobuf/empty_pb';
import type { WriteOutcome } from '../engine/event-writer';
import { MAX_APPEND_BYTES } from '../limits';

/** What an answer repeats of its request; the client throws if it finds no stream identifier in an error. */
export interface BatchAppendTicket {
  correlationId: UUID | undefined;
  options: BatchAppendReq.Options;
}

interface PackedMessage {
  serializeBinary(): Uint8Array;
}

export function outcomeResponse(ticket: BatchAppendTicket, outcome: WriteOutcome): BatchAppendResp {
  switch (outcome.kind) {
    case 'written':
      return successResponse(ticket, outcome);
    case 'wrong_expected_version':
      return errorResponse(ticket, {
        code: Code.FAILED_PRECONDITION,
        message: 'Wrong expected version',
        type: 'event_store.client.WrongExpectedVersion',
        details: wrongVersion(ticket.options, outcome.current),
      });
    case 'stream_deleted':
      return errorResponse(ticket, {
        code: Code.FAILED_PRECONDITION,
        message: 'Stream deleted',
        type: 'event_store.client.StreamDeleted',
        details: new StreamDeleted().setStreamIdentifier(ticket.options.getStreamIdentifier()),
      });
    case 'too_large':
      return errorResponse(ticket, {
        code: Code.INVALID_ARGUMENT,
        message: 'Maximum append size exceeded',
        type: 'event_store.client.MaximumAppendSizeExceeded',
        details: new MaximumAppendSizeExceeded().setMaxappendsize(MAX_APPEND_BYTES),
      });
    case 'too_busy':
      return unavailableResponse(ticket, 'Server Is Too Busy');
    case 'not_ready':
      return unavailableResponse(ticket);
  }
}

export function unavailableResponse(
  ticket: BatchAppendTicket,
  message = 'Server Is Not Ready',
): BatchAppendResp {
  const details = { code: Code.UNAVAILABLE, message, type: 'google.protobuf.Empty', details: new Empty() };
  return errorResponse(ticket, details);
}

export function badRequestResponse(ticket: BatchAppendTicket, problem: string): BatchAppendResp {
  return errorResponse(ticket, {
    code: Code.INVALID_ARGUMENT,
    message: problem,
    type: 'event_store.client.BadRequest',
    details: new BadRequest().setMessage(problem),
  });
}

function successResponse(
  ticket: BatchAppendTicket,
  outcome: { lastRevision: number; position?: number },
): BatchAppendResp {
  const success = new BatchAppendResp.Success();
  if (outcome.lastRevision < 0) success.setNoStream(new Empty());
  else success.setCurrentRevision(String(outcome.lastRevision));
  if (outcome.position === undefined) {
    success.setNoPosition(new Empty());
  } else {
    const position = new AllStreamPosition();
    position.setCommitPosition(String(outcome.position));
    position.setPreparePosition(String(outcome.position));
    success.setPosition(position);
  }
  return response(ticket).setSuccess(success);
}

function errorResponse(
  ticket: BatchAppendTicket,
  error: { code: Code; message: string; type: string; details: PackedMessage },
): BatchAppendResp {
  const details = new Any();
  details.pack(error.details.serializeBinary(), error.type);
  const answer = new Status();
  answer.setCode(error.code);
  answer.setMessage(error.message);
  answer.setDetails(details);
  return response(ticket).setError(answer);
}

function response(ticket: BatchAppendTicket): BatchAppendResp {
  const answer = new BatchAppendResp();
  answer.setCorrelationId(ticket.correlationId);
  answer.setStreamIdentifier(ticket.options.getStreamIdentifier() ?? new StreamIdentifier());
  const { options } = ticket;
  if (options.hasAny()) answer.setAny(new Empty());
  else if (options.hasNoStream()) answer.setNoStream(new Empty());
  else if (options.hasStreamExists()) answer.setStreamExists(new Empty());
  else if (options.hasStreamPosition()) answer.setStreamPosition(options.getStreamPosition());
  return answer;
}

function wrongVersion(options: BatchAppendReq.Options, current: number): WrongExpectedVersion {
  const details = new WrongExpectedVersion();
  if (current < 0) details.setCurrentNoStream(new Empty());
  else details.setCurrentStreamRevision(String(current));
  if (options.hasAny()) details.setExpectedAny(new Empty());
  else if (options.hasNoStream()) details.setExpectedNoStream(new Empty());
  else if (options.hasStreamExists()) details.setExpectedStreamExists(new Empty());
  else details.setExpectedStreamPosition(options.getStreamPosition());
  return details;
}
