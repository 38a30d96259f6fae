import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf } from './error-facts';

/** Raised when a folder of this version could not be used by the stack of the version before. */
const format = '1';

export interface DataFolder {
  readonly logs: string;
  readonly note: string;
}

export type DataFolderReading =
  { readonly ok: true; readonly folder: DataFolder } | { readonly ok: false; readonly line: string };

/** Makes the folder, or takes the one that is there if it is of this version. */
export function openDataFolder(path: string): DataFolderReading {
  const versionFile = join(path, 'version');
  const logs = join(path, 'logs');
  try {
    mkdirSync(logs, { recursive: true });
    const found = readVersion(versionFile);
    if (found === undefined) writeFileSync(versionFile, `${format}\n`);
    else if (found !== format)
      return refuse(`${path} holds data of format ${found}, this version needs ${format}`);
    return { ok: true, folder: { logs, note: join(path, 'stack.json') } };
  } catch (error) {
    return refuse(`${path} cannot be used (${codeOf(error) ?? 'error'})`);
  }
}

function refuse(what: string): DataFolderReading {
  return { ok: false, line: `--data: ${what}; choose another folder.` };
}

function readVersion(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim().slice(0, 20);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}
