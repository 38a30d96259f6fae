import { builtinModules } from 'node:module';
import ts from 'typescript';

/** What a source text imports or requires, types included, as written. */
export function importsOf(source: string): readonly string[] {
  return ts.preProcessFile(source).importedFiles.map(({ fileName }) => fileName);
}

/** Names of the packages among imports: neither files of one's own nor Node's. */
export function packagesOf(imports: readonly string[]): readonly string[] {
  const names = imports
    .filter((name) => !name.startsWith('.') && !name.startsWith('node:') && !builtinModules.includes(name))
    .map((name) =>
      name
        .split('/')
        .slice(0, name.startsWith('@') ? 2 : 1)
        .join('/'),
    );
  return [...new Set(names)].sort();
}
