import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, fstatSync, fsyncSync, ftruncateSync, mkdirSync, openSync } from 'node:fs';
import { readSync, renameSync, writeSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { crc32 } from 'node:zlib';
import { decodeHeader, encodeHeader, LOG_HEADER_BYTES, type LogHeader } from './header';
import { scanLog } from './scan';

export const LOG_FILE = 'events.log';

export interface OpenedLog {
  path: string;
  header: LogHeader;
  /** CRC-32 of the store's id, the seed of every record's checksum. */
  storeSeed: number;
  /** Offset behind the last whole record. */
  end: number;
  /** Bytes of a torn tail that were cut away. */
  cutBytes: number;
}

/** `problem` is one line for a person: what was found and what to do. */
export type OpenLogResult = { ok: true; log: OpenedLog } | { ok: false; problem: string };

/**
 * Opens the log of a data folder, or creates it, and hands every whole record to `onRecord` in order.
 * What it returns as the log's content is on stable storage: a record that a killed process had written but not yet
 * synced is synced here, before anybody can read it.
 */
export function openLog(
  folder: string,
  onRecord: (payload: Buffer, payloadOffset: number) => void,
): OpenLogResult {
  const path = join(folder, LOG_FILE);
  if (!existsSync(path)) createLog(folder, path);
  const fd = openSync(path, 'r+');
  try {
    return readLog(fd, path, onRecord);
  } finally {
    closeSync(fd);
  }
}

function readLog(
  fd: number,
  path: string,
  onRecord: (payload: Buffer, payloadOffset: number) => void,
): OpenLogResult {
  const first = Buffer.alloc(LOG_HEADER_BYTES);
  const read = readSync(fd, first, 0, LOG_HEADER_BYTES, 0);
  const reading = decodeHeader(first.subarray(0, read));
  if (reading.kind !== 'ok') return { ok: false, problem: headerProblem(path, reading) };

  const storeSeed = crc32(reading.header.storeId);
  const size = fstatSync(fd).size;
  const scan = scanLog({ fd, size, storeSeed, onRecord });
  if (scan.kind === 'damaged') {
    return {
      ok: false,
      problem:
        `${path} is damaged: the record at byte ${scan.at} cannot be read although acknowledged records follow ` +
        `(the next one at byte ${scan.nextWhole}); restore the folder from a backup or start with another --data folder`,
    };
  }
  if (scan.kind === 'torn') ftruncateSync(fd, scan.end);
  fsyncSync(fd);
  return {
    ok: true,
    log: { path, header: reading.header, storeSeed, end: scan.end, cutBytes: size - scan.end },
  };
}

function headerProblem(
  path: string,
  reading: { kind: 'not_a_log' | 'damaged' } | { kind: 'other_version'; version: number },
): string {
  switch (reading.kind) {
    case 'not_a_log':
      return `${path} is not an event log of this program; start with another --data folder`;
    case 'damaged':
      return `${path} is damaged: its header cannot be read; restore the folder from a backup or start with another --data folder`;
    case 'other_version':
      return (
        `${path} has format version ${reading.version}, this program reads and writes version 1; ` +
        'start the version of the program that wrote it, or start with another --data folder'
      );
  }
}

/** The header is whole or the file does not exist: it is written elsewhere and renamed. */
function createLog(folder: string, path: string): void {
  const fresh = `${path}.new`;
  const fd = openSync(fresh, 'w');
  try {
    const header = encodeHeader({ storeId: randomBytes(16), createdMs: Date.now() });
    writeSync(fd, header, 0, header.length, 0);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
  renameSync(fresh, path);
  syncFolder(folder);
}

/** Creates a folder and those above it so that they survive a power loss. */
export function makeFolder(path: string): void {
  const folder = resolve(path);
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  mkdirSync(folder, { recursive: true });
  syncFolder(dirname(folder));
}

/** A new name in a folder survives a power loss only once the folder is synced. */
function syncFolder(folder: string): void {
  const fd = openSync(folder, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
