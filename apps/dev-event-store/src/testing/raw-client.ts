import { StreamsClient } from '@eventstore/db-client/generated/streams_grpc_pb';
import { AppendReq, BatchAppendReq } from '@eventstore/db-client/generated/streams_pb';
import { StreamIdentifier, UUID } from '@eventstore/db-client/generated/shared_pb';
import { credentials } from '@grpc/grpc-js';
import { Empty } from 'google-protobuf/google/protobuf/empty_pb';
import { Empty as SharedEmpty } from '@eventstore/db-client/generated/shared_pb';

/** The generated client without the official one around it: for what that one never sends. */
export function rawClient(port: number): StreamsClient {
  return new StreamsClient(`127.0.0.1:${port}`, credentials.createInsecure());
}

export function streamIdentifier(name: string): StreamIdentifier {
  return new StreamIdentifier().setStreamName(Buffer.from(name));
}

export function uuid(text: string): UUID {
  return new UUID().setString(text);
}

interface Proposal {
  stream: string;
  eventId: string;
}

function fill<T extends BatchAppendReq.ProposedMessage | AppendReq.ProposedMessage>(
  message: T,
  id: string,
): T {
  message.setId(uuid(id));
  message.getMetadataMap().set('type', 'Raw').set('content-type', 'application/json');
  message.setData(Buffer.from('{}'));
  return message;
}

/** An append to a stream that must not exist, whose correlation id is the id of its event. */
export function batchAppendRequest({ stream, eventId }: Proposal): BatchAppendReq {
  const options = new BatchAppendReq.Options();
  options.setStreamIdentifier(streamIdentifier(stream));
  options.setNoStream(new Empty());
  const request = new BatchAppendReq();
  request.setCorrelationId(uuid(eventId));
  request.setOptions(options);
  request.addProposedMessages(fill(new BatchAppendReq.ProposedMessage(), eventId));
  request.setIsFinal(true);
  return request;
}

export function appendOptions(stream: string): AppendReq {
  const options = new AppendReq.Options();
  options.setStreamIdentifier(streamIdentifier(stream));
  options.setAny(new SharedEmpty());
  return new AppendReq().setOptions(options);
}

export function appendEvent(eventId: string): AppendReq {
  return new AppendReq().setProposedMessage(fill(new AppendReq.ProposedMessage(), eventId));
}
