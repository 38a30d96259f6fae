import type { Manifest } from './workspace';

/** Packages that a framework loads by name or wants beside it, so that no import shows them. */
const loadedByName = new Set(['@nestjs/platform-express', '@nestjs/core', 'reflect-metadata', 'rxjs']);

export interface Imported {
  /** Packages that sources other than specs import. */
  readonly bySources: readonly string[];
  readonly bySpecs: readonly string[];
}

/** Versions that are not exact: `^1.2.3` installs something else tomorrow. */
export function unpinned({ dependencies, devDependencies }: Manifest): readonly string[] {
  return Object.entries({ ...dependencies, ...devDependencies })
    .filter(([, version]) => !/^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/.test(version))
    .map(([name, version]) => `${name} is ${version}: pin an exact version`);
}

/** What a project imports and what its manifest says, side by side. Specs may also use the root's packages. */
export function dependencyFaults(
  manifest: Manifest,
  imported: Imported,
  rootManifest: Manifest,
): readonly string[] {
  const own = new Set([manifest.name, ...Object.keys(manifest.dependencies)]);
  const forSpecs = new Set([
    ...own,
    ...Object.keys(manifest.devDependencies),
    ...Object.keys(rootManifest.devDependencies),
  ]);
  const used = new Set([...imported.bySources, ...imported.bySpecs]);
  return [
    ...imported.bySources
      .filter((name) => !own.has(name))
      .map((name) => `imports ${name}, which is not declared`),
    ...imported.bySpecs
      .filter((name) => !forSpecs.has(name))
      .map((name) => `a spec imports ${name}, which is not declared`),
    ...Object.keys(manifest.dependencies)
      .filter((name) => !used.has(name) && !loadedByName.has(name))
      .map((name) => `declares ${name}, which nothing imports`),
  ];
}

/** A build order that does not follow the dependencies builds against yesterday's types. */
export function referenceFaults(
  references: readonly string[],
  dependedFolders: readonly string[],
): readonly string[] {
  return [
    ...dependedFolders
      .filter((each) => !references.includes(each))
      .map((each) => `tsconfig.json lacks a reference to ${each}`),
    ...references
      .filter((each) => !dependedFolders.includes(each))
      .map((each) => `tsconfig.json refers to ${each}, no dependency`),
  ];
}
