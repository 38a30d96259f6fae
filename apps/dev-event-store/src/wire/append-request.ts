import type { StreamIdentifier, UUID } from '@eventstore/db-client/generated/shared_pb';
import type { Map as ProtobufMap } from 'google-protobuf';
import type { Expected } from '../engine/check-append';
import type { ProposedEvent } from '../engine/event-writer';
import { MAX_NAME_BYTES } from '../limits';
import { uuidBytes } from './uuid';

/** What the proposed messages of both append methods have in common. */
export interface WireEvent {
  getId(): UUID | undefined;
  getMetadataMap(): ProtobufMap<string, string>;
  getData_asU8(): Uint8Array;
  getCustomMetadata_asU8(): Uint8Array;
}

export type EventReading =
  { kind: 'ok'; event: ProposedEvent } | { kind: 'invalid'; problem: string } | { kind: 'metadata_missing' };

export function readEvent(message: WireEvent): EventReading {
  const id = uuidBytes(message.getId());
  if (id === undefined) return { kind: 'invalid', problem: 'an event has no valid id' };
  const metadata = message.getMetadataMap();
  const type = metadata.get('type');
  const contentType = metadata.get('content-type');
  if (!type || !contentType) return { kind: 'metadata_missing' };
  if (Buffer.byteLength(type) > MAX_NAME_BYTES) {
    return { kind: 'invalid', problem: `an event type has more than ${MAX_NAME_BYTES} bytes` };
  }
  return {
    kind: 'ok',
    event: {
      id,
      type,
      json: contentType === 'application/json',
      data: message.getData_asU8(),
      metadata: message.getCustomMetadata_asU8(),
    },
  };
}

/** The name of a stream that may be written, or undefined if it is none. */
export function writableStream(identifier: StreamIdentifier | undefined): string | undefined {
  const bytes = identifier?.getStreamName_asU8() ?? new Uint8Array(0);
  const name = Buffer.from(bytes).toString('utf8');
  const usable = bytes.length > 0 && bytes.length <= MAX_NAME_BYTES && name !== '$all';
  return usable ? name : undefined;
}

export const BAD_STREAM_NAME = `a stream name has 1 to ${MAX_NAME_BYTES} bytes and is not $all`;

export interface WireExpectation {
  hasAny(): boolean;
  hasStreamExists(): boolean;
  hasNoStream(): boolean;
}

/** `revision` is the wire's decimal string; undefined where the request carries none. */
export function readExpected(options: WireExpectation, revision: string | undefined): Expected | undefined {
  if (options.hasNoStream()) return { kind: 'no_stream' };
  if (options.hasAny()) return { kind: 'any' };
  if (options.hasStreamExists()) return { kind: 'stream_exists' };
  return revision === undefined ? undefined : { kind: 'revision', revision: Number(revision) };
}

/** The expectation as the number that trailers carry. */
export function expectedNumber(expected: Expected): string {
  switch (expected.kind) {
    case 'any':
      return '-2';
    case 'no_stream':
      return '-1';
    case 'stream_exists':
      return '-4';
    case 'revision':
      return String(expected.revision);
  }
}
