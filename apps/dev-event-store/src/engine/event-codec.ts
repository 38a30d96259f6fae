/** An event as the log holds it. */
export interface StoredEvent {
  /** 16 bytes. */
  id: Buffer;
  stream: string;
  type: string;
  json: boolean;
  /** A tombstone has no revision of its own; it is shown with the largest one. */
  tombstone: boolean;
  revision: number;
  createdMs: number;
  data: Uint8Array;
  metadata: Uint8Array;
}

/**
 * Layout, little endian: size u32 · id 16 · revision u48 · created ms u48 · flags u8 · zero u8 · stream length u16 ·
 * type length u16 · metadata length u32 · data length u32 · stream · type · metadata · data.
 * The position of an event in $all is the offset of its first byte in the log.
 */
const FIXED_BYTES = 46;
const ID_AT = 4;
const REVISION_AT = 20;
const CREATED_AT = 26;
const FLAGS_AT = 32;
const STREAM_LENGTH_AT = 34;
const TYPE_LENGTH_AT = 36;
const METADATA_LENGTH_AT = 38;
const DATA_LENGTH_AT = 42;

const JSON_FLAG = 1;
const TOMBSTONE_FLAG = 2;

export function encodedSize(event: StoredEvent): number {
  return (
    FIXED_BYTES +
    Buffer.byteLength(event.stream) +
    Buffer.byteLength(event.type) +
    event.metadata.length +
    event.data.length
  );
}

/** Writes `event` into `target` at `start`; returns the offset behind it. */
export function encodeEvent(event: StoredEvent, target: Buffer, start: number): number {
  target.set(event.id, start + ID_AT);
  target.writeUIntLE(event.revision, start + REVISION_AT, 6);
  target.writeUIntLE(event.createdMs, start + CREATED_AT, 6);
  target[start + FLAGS_AT] = (event.json ? JSON_FLAG : 0) | (event.tombstone ? TOMBSTONE_FLAG : 0);
  target[start + FLAGS_AT + 1] = 0;
  const streamLength = target.write(event.stream, start + FIXED_BYTES);
  const typeLength = target.write(event.type, start + FIXED_BYTES + streamLength);
  let at = start + FIXED_BYTES + streamLength + typeLength;
  target.set(event.metadata, at);
  at += event.metadata.length;
  target.set(event.data, at);
  at += event.data.length;
  target.writeUInt16LE(streamLength, start + STREAM_LENGTH_AT);
  target.writeUInt16LE(typeLength, start + TYPE_LENGTH_AT);
  target.writeUInt32LE(event.metadata.length, start + METADATA_LENGTH_AT);
  target.writeUInt32LE(event.data.length, start + DATA_LENGTH_AT);
  target.writeUInt32LE(at - start, start);
  return at;
}

/** Reads the event that starts at `start`. The bytes passed a checksum, so a misfit is a bug and throws. */
export function decodeEvent(bytes: Buffer, start: number): { event: StoredEvent; size: number } {
  const size = bytes.readUInt32LE(start);
  const typeAt = start + FIXED_BYTES + bytes.readUInt16LE(start + STREAM_LENGTH_AT);
  const metadataAt = typeAt + bytes.readUInt16LE(start + TYPE_LENGTH_AT);
  const dataAt = metadataAt + bytes.readUInt32LE(start + METADATA_LENGTH_AT);
  const end = dataAt + bytes.readUInt32LE(start + DATA_LENGTH_AT);
  if (end - start !== size || end > bytes.length) throw new Error(`no event starts at byte ${start}`);
  const flags = bytes.readUInt8(start + FLAGS_AT);
  return {
    size,
    event: {
      id: bytes.subarray(start + ID_AT, start + REVISION_AT),
      stream: bytes.toString('utf8', start + FIXED_BYTES, typeAt),
      type: bytes.toString('utf8', typeAt, metadataAt),
      json: (flags & JSON_FLAG) !== 0,
      tombstone: (flags & TOMBSTONE_FLAG) !== 0,
      revision: bytes.readUIntLE(start + REVISION_AT, 6),
      createdMs: bytes.readUIntLE(start + CREATED_AT, 6),
      metadata: bytes.subarray(metadataAt, dataAt),
      data: bytes.subarray(dataAt, end),
    },
  };
}
