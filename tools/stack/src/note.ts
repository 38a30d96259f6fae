import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import type { Addresses } from './plan';

const noteSchema = z.looseObject({ pid: z.number().int().positive(), data: z.string() });

/** What a running stack leaves where others find it: `npx writ` reads `eventstore`, a person the pids. */
export interface Note extends Addresses {
  /** Of the stack itself. */
  readonly pid: number;
  readonly data: string;
  readonly processes: readonly { readonly name: string; readonly pid: number }[];
}

/** Replaced whole, so that no reader sees half of it. */
export function writeNote(file: string, note: Note): void {
  mkdirSync(dirname(file), { recursive: true });
  const fresh = `${file}.${note.pid}`;
  writeFileSync(fresh, `${JSON.stringify({ ready: true, ...note }, null, 2)}\n`);
  renameSync(fresh, file);
}

/** Leaves another stack's note alone. */
export function removeNote(file: string): void {
  if (ownerOf(file) === process.pid) rmSync(file, { force: true });
}

function ownerOf(file: string): number | undefined {
  try {
    return noteSchema.parse(JSON.parse(readFileSync(file, 'utf8'))).pid;
  } catch {
    return undefined;
  }
}
