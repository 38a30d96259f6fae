import { crc32 } from 'node:zlib';

/** The first bytes of a log: magic · format version u32 · store id · creation time in ms u64 · CRC-32 u32. */
export const LOG_HEADER_BYTES = 64;

/** Raised whenever a log of this version could not be read by the version before. */
export const FORMAT_VERSION = 1;

const MAGIC = Buffer.from('WRITDEVSTORE', 'latin1');
const VERSION_AT = 12;
const ID_AT = 16;
const CREATED_AT = 32;
const CRC_AT = 60;

export interface LogHeader {
  /** 16 random bytes, drawn when the log was created. */
  storeId: Buffer;
  createdMs: number;
}

export type HeaderReading =
  | { kind: 'ok'; header: LogHeader }
  | { kind: 'not_a_log' }
  | { kind: 'damaged' }
  | { kind: 'other_version'; version: number };

export function encodeHeader(header: LogHeader): Buffer {
  const bytes = Buffer.alloc(LOG_HEADER_BYTES);
  MAGIC.copy(bytes, 0);
  bytes.writeUInt32LE(FORMAT_VERSION, VERSION_AT);
  header.storeId.copy(bytes, ID_AT);
  bytes.writeUIntLE(header.createdMs, CREATED_AT, 6);
  bytes.writeUInt32LE(crc32(bytes.subarray(0, CRC_AT)), CRC_AT);
  return bytes;
}

/** The version is judged before the checksum: another version may lay out the rest in its own way. */
export function decodeHeader(bytes: Buffer): HeaderReading {
  if (bytes.length < ID_AT || bytes.compare(MAGIC, 0, MAGIC.length, 0, MAGIC.length) !== 0) {
    return { kind: 'not_a_log' };
  }
  const version = bytes.readUInt32LE(VERSION_AT);
  if (version !== FORMAT_VERSION) return { kind: 'other_version', version };
  if (bytes.length < LOG_HEADER_BYTES || bytes.readUInt32LE(CRC_AT) !== crc32(bytes.subarray(0, CRC_AT))) {
    return { kind: 'damaged' };
  }
  return {
    kind: 'ok',
    header: {
      storeId: Buffer.from(bytes.subarray(ID_AT, ID_AT + 16)),
      createdMs: bytes.readUIntLE(CREATED_AT, 6),
    },
  };
}
