import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { z } from 'zod';

/** The repository's root: three folders above this file, in `src` as in `dist`. */
export const root = resolve(__dirname, '../../..');

const dependenciesSchema = z.record(z.string(), z.string()).default({});
const manifestSchema = z.object({
  name: z.string(),
  workspaces: z.array(z.string()).default([]),
  bin: z.record(z.string(), z.string()).default({}),
  dependencies: dependenciesSchema,
  devDependencies: dependenciesSchema,
  nx: z.object({ tags: z.array(z.string()).default([]) }).prefault({}),
});
const tsconfigSchema = z.object({ references: z.array(z.object({ path: z.string() })).default([]) });

export type Manifest = z.infer<typeof manifestSchema>;
export interface Project {
  /** From the root, as in `libs/contracts`. */
  readonly folder: string;
  readonly manifest: Manifest;
  /** Folders of the projects that its tsconfig.json refers to. */
  readonly references: readonly string[];
}

export function readManifest(folder: string): Manifest {
  return manifestSchema.parse(JSON.parse(readText(join(folder, 'package.json'))));
}

export function readReferences(folder: string): readonly string[] {
  const { references } = tsconfigSchema.parse(JSON.parse(readText(join(folder, 'tsconfig.json'))));
  return references.map(({ path }) => join(folder, path)).sort();
}

/** Every folder that a workspace pattern of the root manifest names. */
export function findProjects(): readonly Project[] {
  return readManifest('')
    .workspaces.flatMap((pattern) => (pattern.endsWith('/*') ? subfolders(pattern.slice(0, -2)) : [pattern]))
    .filter((folder) => existsSync(join(root, folder, 'package.json')))
    .map((folder) => ({ folder, manifest: readManifest(folder), references: readReferences(folder) }));
}

export function readText(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

/** Tracked files that exist; where there is no git, every file that is neither installed nor built. */
export function trackedFiles(): readonly string[] {
  try {
    const listed = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8', stdio: 'pipe' });
    return listed.split('\0').filter((path) => path !== '' && existsSync(join(root, path)));
  } catch {
    return walk('');
  }
}

/** TypeScript sources under a folder, from the root. */
export function sourcesOf(folder: string): readonly string[] {
  return existsSync(join(root, folder)) ? walk(folder).filter((path) => path.endsWith('.ts')) : [];
}

const made = new Set(['node_modules', 'dist', '.git', '.nx', '.writ', 'coverage', '.swc']);

function walk(folder: string): readonly string[] {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => !made.has(entry.name))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? walk(path) : [path];
    });
}

function subfolders(folder: string): readonly string[] {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder)).map((name) => join(folder, name));
}
