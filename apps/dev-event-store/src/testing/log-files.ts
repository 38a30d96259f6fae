import { copyFileSync, mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { decodeEvent, encodedSize, encodeEvent, type StoredEvent } from '../engine/event-codec';
import { FRAME_HEADER_BYTES, sealFrame } from '../log/frame';
import { LOG_FILE, makeFolder, openLog, type OpenLogResult } from '../log/open-log';

export function logPath(folder: string): string {
  return join(folder, LOG_FILE);
}

/** Copies the log of one folder to another, cut after `size` bytes if given. */
export function copyLog(from: string, to: string, size?: number): void {
  mkdirSync(to, { recursive: true });
  copyFileSync(logPath(from), logPath(to));
  if (size !== undefined) truncateSync(logPath(to), size);
}

/** Turns over one bit of the byte at `offset`. */
export function damageLog(folder: string, offset: number): void {
  const bytes = readFileSync(logPath(folder));
  bytes.writeUInt8(bytes.readUInt8(offset) ^ 1, offset);
  writeFileSync(logPath(folder), bytes);
}

export interface ReadLog {
  result: OpenLogResult;
  /** The events of every record. */
  records: StoredEvent[][];
  /** Offsets of the records, header included. */
  offsets: number[];
}

/** Opens a log as the server does and collects what it holds. */
export function readLogFolder(folder: string): ReadLog {
  const records: StoredEvent[][] = [];
  const offsets: number[] = [];
  makeFolder(folder);
  const result = openLog(folder, (payload, payloadOffset) => {
    offsets.push(payloadOffset - FRAME_HEADER_BYTES);
    records.push(eventsOf(Buffer.from(payload)));
  });
  return { result, records, offsets };
}

function eventsOf(payload: Buffer): StoredEvent[] {
  const events: StoredEvent[] = [];
  for (let at = 0; at < payload.length;) {
    const { event, size } = decodeEvent(payload, at);
    events.push(event);
    at += size;
  }
  return events;
}

/** A sealed record of these events. */
export function recordOf(
  events: readonly StoredEvent[],
  place: { storeSeed: number; offset: number; syncedThrough: number },
): Buffer {
  const frame = Buffer.alloc(FRAME_HEADER_BYTES + events.reduce((sum, event) => sum + encodedSize(event), 0));
  let at = FRAME_HEADER_BYTES;
  for (const event of events) at = encodeEvent(event, frame, at);
  sealFrame(frame, place, place.syncedThrough);
  return frame;
}
