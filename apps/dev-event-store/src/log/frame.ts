import { crc32 } from 'node:zlib';
import { MAX_RECORD_BYTES } from '../limits';

/**
 * One record of the log is one append transaction, so that a torn write loses an append whole or not at all.
 *
 * Layout, little endian: magic u32 · payload length u32 · CRC-32 u32 · synced-through u64 · payload.
 * The checksum also covers the record's own offset and the store's id, so that bytes of a log that travel as the
 * data of an event, or that were left behind by another log, are never taken for a record. *Synced-through* is the
 * offset up to which fdatasync had returned when the record was written: it tells records that nobody was promised
 * from records that were acknowledged (see scan.ts).
 *
 * `zlib.crc32` needs Node 20.15 or later.
 */
export const FRAME_HEADER_BYTES = 20;
export const FRAME_MAGIC = Buffer.from('WREC', 'latin1');

const LENGTH_AT = 4;
const CRC_AT = 8;
const SYNCED_AT = 12;

export interface FrameBinding {
  /** CRC-32 of the store's id. */
  storeSeed: number;
  /** Offset of the record in the file, in bytes. */
  offset: number;
}

export interface Frame {
  payload: Buffer;
  syncedThrough: number;
  /** Bytes of header and payload. */
  size: number;
}

const scratch = Buffer.alloc(8);

function checksum(frame: Buffer, end: number, binding: FrameBinding): number {
  scratch.writeUIntLE(binding.offset, 0, 6);
  const bound = crc32(scratch, binding.storeSeed);
  const head = crc32(frame.subarray(LENGTH_AT, CRC_AT), bound);
  return crc32(frame.subarray(SYNCED_AT, end), head);
}

/** Fills the header of `frame`, whose payload stands behind `FRAME_HEADER_BYTES` already. */
export function sealFrame(frame: Buffer, binding: FrameBinding, syncedThrough: number): void {
  FRAME_MAGIC.copy(frame, 0);
  frame.writeUInt32LE(frame.length - FRAME_HEADER_BYTES, LENGTH_AT);
  frame.writeUIntLE(syncedThrough, SYNCED_AT, 6);
  frame.writeUInt16LE(0, SYNCED_AT + 6);
  frame.writeUInt32LE(checksum(frame, frame.length, binding), CRC_AT);
}

/** Bytes that the record which starts `bytes` claims to have, or undefined where no record can start. */
export function frameSize(bytes: Buffer): number | undefined {
  if (bytes.length < FRAME_HEADER_BYTES || bytes.compare(FRAME_MAGIC, 0, 4, 0, 4) !== 0) return undefined;
  const length = bytes.readUInt32LE(LENGTH_AT);
  return length === 0 || length > MAX_RECORD_BYTES ? undefined : FRAME_HEADER_BYTES + length;
}

/** The record that starts `bytes`, or undefined if it is not whole or its checksum does not fit. */
export function openFrame(bytes: Buffer, binding: FrameBinding): Frame | undefined {
  const size = frameSize(bytes);
  if (size === undefined || bytes.length < size) return undefined;
  if (bytes.readUInt32LE(CRC_AT) !== checksum(bytes, size, binding)) return undefined;
  return {
    payload: bytes.subarray(FRAME_HEADER_BYTES, size),
    syncedThrough: bytes.readUIntLE(SYNCED_AT, 6),
    size,
  };
}
