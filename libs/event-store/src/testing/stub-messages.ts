import { Empty, StreamIdentifier, UUID } from '@eventstore/db-client/generated/shared_pb';
import {
  BatchAppendReq,
  BatchAppendResp,
  ReadReq,
  ReadResp,
} from '@eventstore/db-client/generated/streams_pb';

/** What a stub's server reads and says. */

export interface StubAppend {
  readonly correlationId: string;
  readonly stream: string;
  readonly count: number;
}

export function readAppend(bytes: Uint8Array): StubAppend {
  const request = BatchAppendReq.deserializeBinary(bytes);
  return {
    correlationId: request.getCorrelationId()?.getString() ?? '',
    stream: Buffer.from(
      request.getOptions()?.getStreamIdentifier()?.getStreamName_asU8() ?? new Uint8Array(),
    ).toString(),
    count: request.getProposedMessagesList().length,
  };
}

export function acknowledgement({ correlationId, count }: StubAppend): BatchAppendResp {
  return new BatchAppendResp()
    .setCorrelationId(new UUID().setString(correlationId))
    .setSuccess(new BatchAppendResp.Success().setCurrentRevision(String(count - 1)));
}

/** The id as two signed halves, which is how servers send it where they were not asked for text. */
export function structured(correlationId: string): UUID {
  const hex = correlationId.replaceAll('-', '');
  const half = (digits: string) => String(BigInt.asIntN(64, BigInt(`0x${digits}`)));
  return new UUID().setStructured(
    new UUID.Structured()
      .setMostSignificantBits(half(hex.slice(0, 16)))
      .setLeastSignificantBits(half(hex.slice(16))),
  );
}

export interface StubEvent {
  readonly stream: string;
  readonly revision: number;
  readonly position?: string;
  readonly contentType?: string;
  readonly data?: string;
}

export function eventMessage({ stream, revision, ...more }: StubEvent): ReadResp {
  const recorded = new ReadResp.ReadEvent.RecordedEvent();
  recorded.setId(new UUID().setString(`00000000-0000-4000-8000-${String(revision).padStart(12, '0')}`));
  recorded.setStreamIdentifier(new StreamIdentifier().setStreamName(Buffer.from(stream)));
  recorded.setStreamRevision(String(revision));
  recorded.setCommitPosition(more.position ?? String(revision * 100));
  recorded.setPreparePosition(more.position ?? String(revision * 100));
  recorded
    .getMetadataMap()
    .set('type', 'TurnStarted')
    .set('content-type', more.contentType ?? 'application/json');
  recorded.setData(Buffer.from(more.data ?? '{}'));
  return new ReadResp().setEvent(new ReadResp.ReadEvent().setEvent(recorded));
}

export const endMark = (lastRevision: number): ReadResp =>
  new ReadResp().setLastStreamPosition(String(lastRevision));
export const confirmation = (): ReadResp =>
  new ReadResp().setConfirmation(new ReadResp.SubscriptionConfirmation().setSubscriptionId('1'));
export const caughtUp = (): ReadResp => new ReadResp().setCaughtUp(new ReadResp.CaughtUp());
export const empty = (): Empty => new Empty();

/** Whether a read is a subscription, and the revision or position that it names. */
export function readRead(bytes: Uint8Array): { isSubscription: boolean; from: string } {
  const options = ReadReq.deserializeBinary(bytes).getOptions();
  const position = options?.getAll()?.getPosition()?.getCommitPosition();
  const isFromRevision = options?.getStream()?.hasRevision() === true;
  return {
    isSubscription: options?.hasSubscription() === true,
    from: position ?? (isFromRevision ? (options.getStream()?.getRevision() ?? '') : 'start'),
  };
}
