import {
  Empty,
  StreamIdentifier,
  UUID,
  WrongExpectedVersion,
} from '@eventstore/db-client/generated/shared_pb';
import { BatchAppendReq, type BatchAppendResp } from '@eventstore/db-client/generated/streams_pb';
import type { AppendOutcome, ExpectedRevision } from '@writ/runtime';
import type { EncodedEvent } from '../preconditions';

const PACKAGE = 'event_store.client.';

export interface AppendMessage {
  readonly correlationId: string;
  readonly stream: string;
  readonly expected: ExpectedRevision;
  readonly events: readonly EncodedEvent[];
}

/**
 * The whole append as one message, below the 4 MiB that servers take. No deadline is sent: it would be a wall clock
 * time, and those of two machines are never compared.
 */
export function appendRequest({ correlationId, stream, expected, events }: AppendMessage): BatchAppendReq {
  const options = new BatchAppendReq.Options();
  options.setStreamIdentifier(new StreamIdentifier().setStreamName(Buffer.from(stream)));
  if (expected === 'no_stream') options.setNoStream(new Empty());
  else options.setStreamPosition(String(expected));
  const request = new BatchAppendReq();
  request.setCorrelationId(new UUID().setString(correlationId));
  request.setOptions(options);
  request.setProposedMessagesList(events.map(proposedMessage));
  request.setIsFinal(true);
  return request;
}

function proposedMessage({ id, type, data, metadata }: EncodedEvent): BatchAppendReq.ProposedMessage {
  const message = new BatchAppendReq.ProposedMessage();
  message.setId(new UUID().setString(id));
  message.getMetadataMap().set('type', type).set('content-type', 'application/json');
  message.setData(Buffer.from(data));
  if (metadata !== '') message.setCustomMetadata(Buffer.from(metadata));
  return message;
}

/** What the server says of one append. Whatever it does not say plainly is unknown. */
export function appendOutcome(response: BatchAppendResp): AppendOutcome {
  const success = response.getSuccess();
  if (success !== undefined) {
    const revision = Number(success.getCurrentRevision());
    const isTold = success.hasCurrentRevision() && Number.isSafeInteger(revision);
    if (!isTold) return unknown;
    // Repeats need not be told where the original stands; whoever wants to know then reads (eventstore.md C1).
    const position = success.getPosition()?.getCommitPosition();
    return { outcome: 'acknowledged', revision, repeated: false, ...(isPosition(position) && { position }) };
  }
  const details = response.getError()?.getDetails();
  switch (details?.getTypeName()) {
    case `${PACKAGE}WrongExpectedVersion`:
      return { outcome: 'conflict', actual: actualRevision(details.getValue_asU8()) };
    case `${PACKAGE}StreamDeleted`:
      return { outcome: 'conflict', actual: 'not_told' };
    case `${PACKAGE}MaximumAppendSizeExceeded`:
    // From 26.x on the size of one event has its own limit.
    case `${PACKAGE}MaximumAppendEventSizeExceeded`:
      return { outcome: 'refused', cause: 'append_too_large' };
    case `${PACKAGE}Timeout`:
      return { outcome: 'unknown', cause: 'store_timeout' };
    default:
      return unknown;
  }
}

/** Some servers say -1 or the largest number of 64 bits where they do not know. */
const isPosition = (text: string | undefined): text is string =>
  text !== undefined && /^[0-9]{1,19}$/.test(text) && BigInt(text) < 2n ** 63n;

const unknown: AppendOutcome = { outcome: 'unknown', cause: 'store_unavailable' };

function actualRevision(details: Uint8Array): ExpectedRevision | 'not_told' {
  const conflict = WrongExpectedVersion.deserializeBinary(details);
  if (conflict.hasCurrentNoStream()) return 'no_stream';
  const revision = Number(conflict.getCurrentStreamRevision());
  return conflict.hasCurrentStreamRevision() && Number.isSafeInteger(revision) ? revision : 'not_told';
}
