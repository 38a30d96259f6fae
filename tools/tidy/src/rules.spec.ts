import { bannedDeclarations, bannedInPath } from './banned-names';
import { deadFiles } from './dead-files';
import { impurities } from './impurities';
import { packagesOf } from './imports';
import { machineTraces } from './machine-traces';
import { dependencyFaults, referenceFaults, unpinned } from './manifest-faults';
import { missingSpecs } from './named-specs';
import type { Manifest } from './workspace';

describe('purity of the core', () => {
  it.each([
    ['const now = Date.now();', 'Date'],
    ['const now = new Date();', 'Date'],
    ['function f(at: Date) {}', 'Date'],
    ['const id = Math.random();', 'Math.random'],
    ["const id = Math['random']();", 'Math[…]'],
    ['setTimeout(() => {}, 1);', 'setTimeout'],
    ['const x = process.env;', 'process'],
    ["import { createHash } from 'node:crypto';", 'import of node:crypto'],
    ["import type { Log } from '@writ/runtime';", 'import of @writ/runtime'],
    ["const zod = import('zod');", 'import of zod'],
  ])('is broken by %s', (source, what) => {
    expect(impurities(source).join()).toContain(what);
  });

  it.each([
    'const reason = state.process;',
    'const command = { process: 1 };',
    'interface Command { readonly process: string }',
    'const largest = Math.max(1, 2);',
    "import { type Digest } from '@writ/contracts';",
    "import { fold } from './fold';",
    '// Date and Math.random stay outside',
  ])('is not broken by %s', (source) => {
    expect(impurities(source)).toEqual([]);
  });
});

describe('a manifest', () => {
  const manifest = (given: Partial<Manifest>): Manifest => ({
    name: '@writ/x',
    workspaces: [],
    bin: {},
    dependencies: {},
    devDependencies: {},
    nx: { tags: [] },
    ...given,
  });
  const nothing = manifest({});

  it.each(['^1.2.3', '~1.2.3', '*', 'latest', '1.x', '>=1.0.0'])('must not ask for %s', (version) => {
    expect(unpinned(manifest({ devDependencies: { zod: version } }))).toHaveLength(1);
  });

  it('may ask for an exact version', () => {
    expect(unpinned(manifest({ dependencies: { zod: '4.6.7', pre: '1.0.0-rc.1' } }))).toEqual([]);
  });

  it('names every package that its sources import', () => {
    const faults = dependencyFaults(nothing, { bySources: ['nats'], bySpecs: ['zod'] }, nothing);
    expect(faults).toEqual([
      'imports nats, which is not declared',
      'a spec imports zod, which is not declared',
    ]);
  });

  it('lends its specs what the root has for development', () => {
    const rootManifest = manifest({ devDependencies: { 'fast-check': '4.11.0' } });
    expect(dependencyFaults(nothing, { bySources: [], bySpecs: ['fast-check'] }, rootManifest)).toEqual([]);
    expect(dependencyFaults(nothing, { bySources: ['fast-check'], bySpecs: [] }, rootManifest)).toHaveLength(
      1,
    );
  });

  it('names nothing that nothing imports', () => {
    const unused = manifest({ dependencies: { nats: '2.29.3', rxjs: '7.8.2' } });
    expect(dependencyFaults(unused, { bySources: [], bySpecs: [] }, nothing)).toEqual([
      'declares nats, which nothing imports',
    ]);
  });

  it('goes with references to the same projects', () => {
    expect(referenceFaults(['libs/a'], ['libs/b'])).toEqual([
      'tsconfig.json lacks a reference to libs/b',
      'tsconfig.json refers to libs/a, no dependency',
    ]);
    expect(referenceFaults(['libs/a'], ['libs/a'])).toEqual([]);
  });

  it('speaks of packages, not of files in them or of Node', () => {
    expect(packagesOf(['./a', 'node:fs', 'fs', 'ajv/dist/2020', '@nestjs/common/x', 'ajv'])).toEqual([
      '@nestjs/common',
      'ajv',
    ]);
  });
});

describe('a dead file', () => {
  const sources = new Map([
    ['libs/x/src/index.ts', "export * from './call';"],
    ['libs/x/src/call/index.ts', "export * from './decide';"],
    ['libs/x/src/call/decide.ts', "const host = join(__dirname, 'tool-host.js');"],
    ['libs/x/src/tool-host.ts', ''],
    ['libs/x/src/forgotten/index.ts', "export * from './old';"],
    ['libs/x/src/forgotten/old.ts', ''],
    ['libs/x/src/some.spec.ts', "import { kit } from './kit';"],
    ['libs/x/src/kit.ts', ''],
  ]);

  it('is one that no index, main, spec or started name leads to', () => {
    expect(deadFiles(sources)).toEqual(['libs/x/src/forgotten/index.ts', 'libs/x/src/forgotten/old.ts']);
  });
});

describe('a name', () => {
  it.each([
    'libs/shared/src/a.ts',
    'libs/a/src/string-utils.ts',
    'libs/a/src/helper/x.ts',
    'libs/a/src/session-manager.ts',
  ])('must not hide behind a word like the one in %s', (path) => {
    expect(bannedInPath(path)).toHaveLength(1);
  });

  it('must not hide behind one in a declaration either', () => {
    const source =
      'class BaseService {} interface StoreImpl {} type CommonEnv = 1; function sharedThing() {}';
    expect(bannedDeclarations(source)).toEqual(['BaseService', 'StoreImpl', 'CommonEnv', 'sharedThing']);
  });

  it('may contain the letters of one', () => {
    expect(bannedInPath('libs/a/src/database/baseline.ts')).toEqual([]);
    expect(bannedDeclarations('class Database {} function rebased() {} const baseUrl = 1;')).toEqual([]);
  });
});

describe('a trace of a machine', () => {
  // Put together here, so that this file carries none itself.
  const path = (...parts: string[]): string => ['', ...parts].join('/');

  it.each([
    path('work', 'main', 'x.ts'),
    `cd ${path('root', '.npm')}`,
    `"${path('home', 'somebody')}"`,
    `file://${path('Users', 'somebody')}`,
    ['registry', 'npmjs', 'org'].join('.'),
    `//host/:${'_auth'}${'Token'}=x`,
  ])('is %s', (text) => {
    expect(machineTraces(text)).toHaveLength(1);
  });

  it.each(['/workspace', './work/x', 'https://example.org/home/page', '${dir}/tmp/x', '/v1/root/x'])(
    'is not %s',
    (text) => {
      expect(machineTraces(text)).toEqual([]);
    },
  );
});

describe('a document that names specs', () => {
  const files = new Map([['libs/a/src/a.spec.ts', "it('runs once', () => {});"]]);
  const missing = (document: string) => missingSpecs(document, (path) => files.get(path));

  it('names files and titles that are there', () => {
    expect(missing('| F01 | `libs/a/src/a.spec.ts` "runs once", "runs" |')).toEqual([]);
    expect(missing('`libs/a/src/a.spec.ts` is one of them')).toEqual([]);
  });

  it.each([
    ['`libs/a/src/b.spec.ts` "runs once"', 'libs/a/src/b.spec.ts is missing'],
    ['`libs/a/src/a.spec.ts` "runs once", "runs twice"', 'libs/a/src/a.spec.ts has no title "runs twice"'],
  ])('is found out: %s', (document, fault) => {
    expect(missing(document)).toEqual([fault]);
  });
});
