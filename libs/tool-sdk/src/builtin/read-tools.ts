import { constants } from 'node:fs';
import { lstat, open, readdir } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import type { JsonSchemaInput, Tool } from '../definition/tool';
import { limits } from '../limits';
import { asRefusal, NotApplied, openFolder, placeOf, refusalOf, reservedFolder } from './root';

export function readFileTool(root: string): Tool<JsonSchemaInput> {
  return {
    name: 'read_file',
    description: `Reads a text file (UTF-8, at most ${limits.fileBytes} bytes).`,
    input: {
      type: 'object',
      properties: { path: { type: 'string', description: 'relative to the root folder' } },
      required: ['path'],
      additionalProperties: false,
    },
    effect: 'read',
    concurrency: 'parallel',
    timeoutMs: 30_000,
    check: ({ path }) => refusalOf(root, path),
    run: async ({ path }) => {
      const { real, shown } = await placeOf(root, path);
      const bytes = await readRegularFile(root, real).catch((error: unknown) => {
        throw asRefusal(error, shown);
      });
      try {
        return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
      } catch {
        throw new NotApplied(`${shown}: is not UTF-8 text`);
      }
    },
  };
}

export function listFolderTool(root: string): Tool<JsonSchemaInput> {
  return {
    name: 'list_folder',
    description: `Lists a folder: names, kinds and sizes, at most ${limits.folderEntries}, in order of name.`,
    input: {
      type: 'object',
      properties: {
        path: { type: 'string', description: 'relative to the root folder; the root if left out' },
      },
      additionalProperties: false,
    },
    effect: 'read',
    concurrency: 'parallel',
    timeoutMs: 30_000,
    check: ({ path = '.' }) => refusalOf(root, path),
    run: async ({ path = '.' }) => {
      const { real, shown } = await placeOf(root, path);
      const folder = await openFolder(root, real, { create: false });
      try {
        const names = (await readdir(folder.at('.')))
          .filter((name) => shown !== '.' || name !== reservedFolder)
          .sort();
        const listed = names.slice(0, limits.folderEntries);
        const entries = await Promise.all(listed.map((name) => entryOf(folder.at(name), name)));
        return { path: shown, entries, more: names.length - listed.length };
      } finally {
        await folder.close();
      }
    },
  };
}

/** Never opens anything but a regular file: opening a FIFO waits, opening a device may do something. */
export async function readRegularFile(root: string, real: string): Promise<Buffer> {
  const folder = await openFolder(root, dirname(real), { create: false });
  try {
    const path = folder.at(basename(real));
    if (!(await lstat(path)).isFile()) throw new NotApplied(`${basename(real)}: is not a regular file`);
    const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      if (!(await file.stat()).isFile()) throw new NotApplied(`${basename(real)}: is not a regular file`);
      // Not by its size: files of /proc and files that grow have another one than they say.
      const bytes = Buffer.alloc(limits.fileBytes + 1);
      let filled = 0;
      for (let read = 1; read > 0 && filled < bytes.length; filled += read) {
        read = (await file.read(bytes, filled, bytes.length - filled)).bytesRead;
      }
      if (filled > limits.fileBytes)
        throw new NotApplied(`${basename(real)}: is over ${limits.fileBytes} bytes`);
      return bytes.subarray(0, filled);
    } finally {
      await file.close();
    }
  } finally {
    await folder.close();
  }
}

async function entryOf(
  path: string,
  name: string,
): Promise<{ readonly name: string; readonly kind: string; readonly size?: number }> {
  try {
    const stat = await lstat(path);
    if (stat.isFile()) return { name, kind: 'file', size: stat.size };
    return { name, kind: stat.isDirectory() ? 'folder' : stat.isSymbolicLink() ? 'link' : 'other' };
  } catch {
    return { name, kind: 'gone' };
  }
}
