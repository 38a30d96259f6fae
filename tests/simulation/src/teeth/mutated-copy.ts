import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ModuleKind, ScriptTarget, transpileModule } from 'typescript';
import { mutated, root, type Mutation } from './mutation';

/** What a run of the simulation is made of. */
const libraries = ['contracts', 'protocol', 'runtime', 'event-store', 'messaging', 'audit'];

export interface MutatedCopy {
  /** The simulation's built folder, whose libraries have the bug. */
  readonly folder: string;
  remove(): void;
}

/**
 * The built simulation and its libraries with a mutation in them, in a folder of their own: production code knows no
 * switch for it, and whoever judges a run is not made of what is judged.
 */
export function makeMutatedCopy(mutation: Mutation): MutatedCopy {
  const folder = mkdtempSync(join(tmpdir(), 'writ-teeth-'));
  // Packages of others are found one level above ours.
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  const inside = join(folder, 'copy');
  for (const name of libraries) copyBuilt(`libs/${name}`, join(inside, 'node_modules/@writ', name));
  copyBuilt('tests/simulation', join(inside, 'simulation'));
  for (const { file } of mutation.changes) {
    const text = mutated(mutation, file, readFileSync(join(root, file), 'utf8'));
    writeFileSync(join(inside, 'node_modules/@writ', builtPath(file)), transpile(text));
  }
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  return { folder: join(inside, 'simulation/dist'), remove };
}

function copyBuilt(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  cpSync(join(root, from, 'package.json'), join(to, 'package.json'));
  const own = join(root, from, 'node_modules');
  if (existsSync(own)) symlinkSync(own, join(to, 'node_modules'));
  const isRun = (path: string): boolean => !/\.(d\.ts|map|spec\.js|tsbuildinfo)$/.test(path);
  cpSync(join(root, from, 'dist'), join(to, 'dist'), { recursive: true, filter: isRun });
}

/** `libs/runtime/src/x.ts` is built to `runtime/dist/x.js`. */
const builtPath = (file: string): string => {
  const built = file.replace(/^libs\//, '').replace('/src/', '/dist/');
  return join(dirname(built), `${built.split('/').at(-1)?.replace(/\.ts$/, '.js') ?? ''}`);
};

const transpile = (text: string): string =>
  transpileModule(text, {
    compilerOptions: { module: ModuleKind.CommonJS, target: ScriptTarget.ES2022, esModuleInterop: true },
  }).outputText;
