import { StreamIdentifier } from '@eventstore/db-client/generated/shared_pb';
import { ReadResp } from '@eventstore/db-client/generated/streams_pb';
import type { StoredEvent } from '../engine/event-codec';
import { uuidMessage } from './uuid';

/** int64 max: the revision under which a tombstone is shown. */
const TOMBSTONE_REVISION = '9223372036854775807';

export interface EventEncoding {
  position: number;
  structuredIds: boolean;
}

export function streamIdentifier(name: string): StreamIdentifier {
  return new StreamIdentifier().setStreamName(Buffer.from(name));
}

export function eventResponse(event: StoredEvent, encoding: EventEncoding): ReadResp {
  const position = String(encoding.position);
  const recorded = new ReadResp.ReadEvent.RecordedEvent();
  recorded.setId(uuidMessage(event.id, encoding.structuredIds));
  recorded.setStreamIdentifier(streamIdentifier(event.stream));
  recorded.setStreamRevision(event.tombstone ? TOMBSTONE_REVISION : String(event.revision));
  recorded.setCommitPosition(position);
  recorded.setPreparePosition(position);
  recorded.setData(event.data);
  recorded.setCustomMetadata(event.metadata);
  const metadata = recorded.getMetadataMap();
  metadata.set('type', event.type);
  metadata.set('content-type', event.json ? 'application/json' : 'application/octet-stream');
  // .NET ticks of 100 ns since the Unix epoch.
  metadata.set('created', `${event.createdMs}0000`);
  const read = new ReadResp.ReadEvent();
  read.setEvent(recorded);
  read.setCommitPosition(position);
  return new ReadResp().setEvent(read);
}

export function notFoundResponse(stream: string): ReadResp {
  const notFound = new ReadResp.StreamNotFound();
  notFound.setStreamIdentifier(streamIdentifier(stream));
  return new ReadResp().setStreamNotFound(notFound);
}

export function confirmationResponse(subscriptionId: string): ReadResp {
  const confirmation = new ReadResp.SubscriptionConfirmation();
  confirmation.setSubscriptionId(subscriptionId);
  return new ReadResp().setConfirmation(confirmation);
}

export function checkpointResponse(position: number): ReadResp {
  const checkpoint = new ReadResp.Checkpoint();
  checkpoint.setCommitPosition(String(position));
  checkpoint.setPreparePosition(String(position));
  return new ReadResp().setCheckpoint(checkpoint);
}

export function caughtUpResponse(): ReadResp {
  return new ReadResp().setCaughtUp(new ReadResp.CaughtUp());
}

export function fellBehindResponse(): ReadResp {
  return new ReadResp().setFellBehind(new ReadResp.FellBehind());
}
