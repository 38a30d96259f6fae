/** The rules of the house, asked of the repository itself. A finding says what to do in the failing test's output. */
import { join } from 'node:path';
import { bannedDeclarations, bannedInPath } from './banned-names';
import { deadFiles } from './dead-files';
import { impurities } from './impurities';
import { importsOf, packagesOf } from './imports';
import { machineTraces } from './machine-traces';
import { dependencyFaults, referenceFaults, unpinned } from './manifest-faults';
import { missingSpecs } from './named-specs';
import {
  findProjects,
  readManifest,
  readReferences,
  readText,
  sourcesOf,
  trackedFiles,
  type Project,
} from './workspace';

const longestFile = 300;
const largestTextBytes = 1_000_000;
/** Public reports of how other agent runtimes failed, each tried here (docs/TESTING.md). */
const fieldReports = 28;
const projects = findProjects();
const rootManifest = readManifest('');
const isSpec = (path: string): boolean => path.endsWith('.spec.ts') || path.includes('/src/testing/');
const packagesIn = (paths: readonly string[]): readonly string[] =>
  packagesOf(paths.flatMap((path) => importsOf(readText(path))));

describe('the core', () => {
  it.each(sourcesOf('libs/protocol/src').filter((path) => !isSpec(path)))('%s is pure', (path) => {
    expect(impurities(readText(path))).toEqual([]);
  });
});

describe('every source file', () => {
  const sources = trackedFiles().filter(
    (path) => /^(libs|apps|tools|tests|bench)\/.*\.(ts|mjs|cjs)$/.test(path) && !path.includes('/fixtures/'),
  );

  it(`has at most ${longestFile} lines`, () => {
    const tooLong = sources.filter((path) => readText(path).trimEnd().split('\n').length > longestFile);
    expect(tooLong).toEqual([]);
  });

  it('is called after what it is', () => {
    expect(sources.filter((path) => bannedInPath(path).length > 0)).toEqual([]);
    const declarations = sources.flatMap((path) =>
      bannedDeclarations(readText(path)).map((name) => `${path}: ${name}`),
    );
    expect(declarations).toEqual([]);
  });

  it('carries no default export in a library, no suppressed rule, no ignored type error', () => {
    const suppressed = /eslint-disable|@ts-(?:ignore|nocheck|expect-error)/;
    expect(
      sources.filter((path) => !path.startsWith('tools/tidy/') && suppressed.test(readText(path))),
    ).toEqual([]);
  });
});

describe.each(projects.map((project): [string, Project] => [project.folder, project]))(
  '%s',
  (folder, project) => {
    const sources = sourcesOf(join(folder, 'src'));

    it('has no dead file', () => {
      expect(deadFiles(new Map(sources.map((path) => [path, readText(path)])))).toEqual([]);
    });

    it('declares what it imports, and nothing else', () => {
      const imported = {
        bySources: packagesIn(sources.filter((path) => !isSpec(path))),
        bySpecs: packagesIn(sources.filter(isSpec)),
      };
      expect(dependencyFaults(project.manifest, imported, rootManifest)).toEqual([]);
    });

    it('pins exact versions', () => {
      expect(unpinned(project.manifest)).toEqual([]);
    });

    it('is built after what it depends on', () => {
      const depended = projects.filter(({ manifest }) => manifest.name in project.manifest.dependencies);
      expect(
        referenceFaults(
          project.references,
          depended.map((each) => each.folder),
        ),
      ).toEqual([]);
    });

    it('has one layer and one scope', () => {
      const kinds = project.manifest.nx.tags.map((tag) => tag.split(':')[0]);
      expect(kinds.sort()).toEqual(['layer', 'scope']);
    });
  },
);

describe('the repository', () => {
  it('builds every project from its root', () => {
    expect(readReferences('')).toEqual(projects.map(({ folder }) => folder).sort());
  });

  it('pins exact versions at its root', () => {
    expect(unpinned(rootManifest)).toEqual([]);
  });

  it('has every spec that its documents name, and one row for each field report', () => {
    const there = new Set(trackedFiles());
    const documents = [...there].filter((path) => path.endsWith('.md'));
    const missing = documents.flatMap((path) =>
      missingSpecs(readText(path), (spec) => (there.has(spec) ? readText(spec) : undefined)),
    );
    expect(missing).toEqual([]);
    const rows = [...readText('docs/TESTING.md').matchAll(/^\| (F\d\d) \|/gm)].map(([, report]) => report);
    expect(rows).toEqual(
      Array.from({ length: fieldReports }, (_, index) => `F${String(index + 1).padStart(2, '0')}`),
    );
  });

  it('knows no machine and no registry', () => {
    const texts = trackedFiles().filter((path) => !/\.(png|ico|woff2?|gz)$/.test(path));
    const findings = texts.flatMap((path) => {
      const text = readText(path);
      return text.length > largestTextBytes ? [] : machineTraces(text).map((trace) => `${path}, ${trace}`);
    });
    expect(findings).toEqual([]);
  });
});
