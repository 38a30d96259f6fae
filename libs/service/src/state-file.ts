import { mkdir, open, readFile, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { StateFile } from '@writ/runtime';

/** A JSON file that is replaced whole: written beside itself, synced and renamed. */
export function stateFile(path: string): StateFile {
  return {
    async load() {
      try {
        const value: unknown = JSON.parse(await readFile(path, 'utf8'));
        return value;
      } catch {
        return undefined;
      }
    },
    async save(value) {
      await mkdir(dirname(path), { recursive: true });
      const fresh = `${path}.new`;
      const file = await open(fresh, 'w');
      try {
        await file.writeFile(JSON.stringify(value));
        await file.datasync();
      } finally {
        await file.close();
      }
      await rename(fresh, path);
    },
  };
}
