import type { ReadResp } from '@eventstore/db-client/generated/streams_pb';
import { recordedEventSchema, type RecordedEvent } from '@writ/contracts';
import { uuidText } from './uuid';

/** What servers send for a position that they do not know: -1 as an unsigned 64-bit number. */
const NO_POSITION = '18446744073709551615';

/**
 * An event off the wire, or undefined where it lacks what every event of ours has: an id, a revision that a number
 * holds, a log position. Data or metadata that is no JSON, which others may have written, is undefined.
 */
export function recordedEvent(read: ReadResp.ReadEvent | undefined): RecordedEvent | undefined {
  const event = read?.getEvent();
  if (event === undefined || event.getCommitPosition() === NO_POSITION) return undefined;
  const headers = event.getMetadataMap();
  const isJson = headers.get('content-type') === 'application/json';
  const parsed = recordedEventSchema.safeParse({
    id: uuidText(event.getId()),
    stream: utf8(event.getStreamIdentifier()?.getStreamName_asU8() ?? new Uint8Array()),
    revision: Number(event.getStreamRevision()),
    position: event.getCommitPosition(),
    type: headers.get('type'),
    data: isJson ? jsonOf(event.getData_asU8()) : undefined,
    metadata: jsonOf(event.getCustomMetadata_asU8()),
  });
  return parsed.success ? parsed.data : undefined;
}

function jsonOf(bytes: Uint8Array): unknown {
  if (bytes.length === 0) return undefined;
  try {
    const value: unknown = JSON.parse(utf8(bytes));
    return value;
  } catch {
    return undefined;
  }
}

function utf8(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
}
