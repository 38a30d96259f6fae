import { dirname, join } from 'node:path';
import { importsOf } from './imports';

const startsAlone = /(^|\/)(index|main)\.ts$|\.spec\.ts$/;

/**
 * Files of one project that nothing reaches. Roots are the public index, every main and every spec; a file that is
 * started by its name (`'tool-host.js'`) is reached by the string.
 */
export function deadFiles(sources: ReadonlyMap<string, string>): readonly string[] {
  const isRoot = (path: string): boolean =>
    startsAlone.test(path) && (!path.endsWith('index.ts') || isPublicIndex(path));
  const open = [...sources.keys()].filter(isRoot);
  const reached = new Set(open);
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    for (const next of reachedFrom(path, sources)) {
      if (reached.has(next)) continue;
      reached.add(next);
      open.push(next);
    }
  }
  return [...sources.keys()].filter((path) => !reached.has(path));
}

function isPublicIndex(path: string): boolean {
  return path.endsWith('/src/index.ts');
}

function reachedFrom(path: string, sources: ReadonlyMap<string, string>): readonly string[] {
  const text = sources.get(path) ?? '';
  const imported = importsOf(text)
    .filter((name) => name.startsWith('.'))
    .map((name) => join(dirname(path), name.replace(/\.js$/, '')))
    .flatMap((base) => [`${base}.ts`, `${base}/index.ts`]);
  const started = [...text.matchAll(/([\w-]+)\.js['"`]/g)].map(([, name]) => `/${name ?? ''}.ts`);
  return [...sources.keys()].filter(
    (each) => imported.includes(each) || started.some((ending) => each.endsWith(ending)),
  );
}
