import { readSync } from 'node:fs';
import { SCAN_WINDOW_BYTES } from '../limits';
import { FRAME_HEADER_BYTES, FRAME_MAGIC, type Frame, frameSize, openFrame } from './frame';
import { LOG_HEADER_BYTES } from './header';

export interface ScanOptions {
  fd: number;
  /** Bytes of the file. */
  size: number;
  storeSeed: number;
  /** Called for every whole record in order; the payload is only valid during the call. */
  onRecord: (payload: Buffer, payloadOffset: number) => void;
}

export type ScanResult =
  /** Whole records up to the end of the file. */
  | { kind: 'whole'; end: number }
  /** What stands behind `end` was never acknowledged: the file may be cut there. */
  | { kind: 'torn'; end: number }
  /** The record at `at` is damaged although it was acknowledged: cutting would lose what clients rely on. */
  | { kind: 'damaged'; at: number; nextWhole: number };

const SECTOR_BYTES = 512;

/** A view of the file that re-reads in large windows. */
class Window {
  private buffer = Buffer.alloc(0);
  private start = 0;

  constructor(
    private readonly fd: number,
    private readonly size: number,
  ) {}

  /** Up to `length` bytes from `offset`; fewer only at the end of the file. */
  at(offset: number, length: number): Buffer {
    const wanted = Math.min(length, this.size - offset);
    if (offset < this.start || offset + wanted > this.start + this.buffer.length) {
      this.load(offset, Math.min(Math.max(wanted, SCAN_WINDOW_BYTES), this.size - offset));
    }
    return this.buffer.subarray(offset - this.start, offset - this.start + wanted);
  }

  private load(offset: number, length: number): void {
    const buffer = Buffer.allocUnsafe(length);
    let filled = 0;
    while (filled < length) {
      const read = readSync(this.fd, buffer, filled, length - filled, offset + filled);
      if (read === 0) break;
      filled += read;
    }
    this.buffer = buffer.subarray(0, filled);
    this.start = offset;
  }
}

/**
 * Reads a log from its first record to its last whole one and judges what follows.
 *
 * A write that was under way when the machine or the process stopped leaves a bad record at the end; one fdatasync
 * covers a group of records, and until it returns the disk may hold any of their sectors, so that a later record of
 * the *same* group can be whole. Such a hole reads as zeros. Everything else that has a whole record behind it was
 * acknowledged and is damage.
 */
export function scanLog(options: ScanOptions): ScanResult {
  const window = new Window(options.fd, options.size);
  let offset = LOG_HEADER_BYTES;
  while (offset < options.size) {
    const frame = frameAt(window, offset, options.storeSeed);
    if (frame === undefined) return judge(window, offset, options);
    options.onRecord(frame.payload, offset + FRAME_HEADER_BYTES);
    offset += frame.size;
  }
  return { kind: 'whole', end: offset };
}

function frameAt(window: Window, offset: number, storeSeed: number): Frame | undefined {
  const size = frameSize(window.at(offset, FRAME_HEADER_BYTES));
  return size === undefined ? undefined : openFrame(window.at(offset, size), { storeSeed, offset });
}

function judge(window: Window, bad: number, options: ScanOptions): ScanResult {
  let first: number | undefined;
  for (const candidate of magicsBehind(window, bad, options.size)) {
    const frame = frameAt(window, candidate, options.storeSeed);
    if (frame === undefined) continue;
    first ??= candidate;
    if (frame.syncedThrough > bad) return { kind: 'damaged', at: bad, nextWhole: first };
  }
  if (first !== undefined && !hasZeroSector(window, bad, first)) {
    return { kind: 'damaged', at: bad, nextWhole: first };
  }
  return { kind: 'torn', end: bad };
}

function* magicsBehind(window: Window, offset: number, size: number): Generator<number> {
  let at = offset + 1;
  while (at + FRAME_HEADER_BYTES <= size) {
    const bytes = window.at(at, SCAN_WINDOW_BYTES);
    const found = bytes.indexOf(FRAME_MAGIC);
    if (found === -1) {
      at += Math.max(1, bytes.length - FRAME_MAGIC.length + 1);
    } else {
      yield at + found;
      at += found + 1;
    }
  }
}

function hasZeroSector(window: Window, from: number, to: number): boolean {
  for (let at = Math.ceil(from / SECTOR_BYTES) * SECTOR_BYTES; at + SECTOR_BYTES <= to; at += SECTOR_BYTES) {
    if (window.at(at, SECTOR_BYTES).every((byte) => byte === 0)) return true;
  }
  return false;
}
