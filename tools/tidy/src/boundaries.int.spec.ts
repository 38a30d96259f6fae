import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { root } from './workspace';

const accountSchema = z.object({
  projects: z.array(z.object({ folder: z.string(), layer: z.string() })),
  vendors: z.array(z.string()),
  reports: z.array(
    z.object({ fixture: z.string(), as: z.string(), breaks: z.string(), reported: z.array(z.string()) }),
  ),
});
const startUpMs = 60_000;

function node(...args: string[]): string {
  const env = { ...process.env, NX_DAEMON: 'false' };
  return execFileSync(process.execPath, args, {
    cwd: root,
    env,
    encoding: 'utf8',
    stdio: 'pipe',
    timeout: startUpMs,
  });
}

describe('the import table', () => {
  let account: z.infer<typeof accountSchema>;
  beforeAll(() => {
    node('node_modules/.bin/nx', 'show', 'projects');
    account = accountSchema.parse(JSON.parse(node('tools/tidy/lint-fixtures.mjs')));
  }, 2 * startUpMs);

  /** A fixture of a project that does not exist yet proves nothing. */
  const standing = () =>
    account.reports.filter(({ as }) => account.projects.some(({ folder }) => as.startsWith(`${folder}/`)));

  it('reports of every fixture exactly what the fixture breaks, and nothing where it breaks nothing', () => {
    const surprises = standing().filter(({ breaks, reported }) => (reported.at(-1) ?? 'nothing') !== breaks);
    expect(surprises).toEqual([]);
    expect(standing().length).toBeGreaterThan(30);
  });

  it('has a row for every layer, and a fixture that its row catches', () => {
    const layers = [...new Set(account.projects.map(({ layer }) => layer))].sort();
    const proven = layers.filter((layer) => {
      const folders = account.projects
        .filter((each) => each.layer === layer)
        .map(({ folder }) => `${folder}/`);
      return standing().some(
        ({ as, reported }) =>
          folders.some((folder) => as.startsWith(folder)) &&
          reported.some((rule) => rule.endsWith('onlyTagsConstraintViolation')),
      );
    });
    expect(proven).toEqual(layers);
  });

  it("keeps every vendor's client to its adapter, as a fixture shows", () => {
    const texts = standing()
      .filter(({ breaks }) => breaks.endsWith('bannedExternalImportsViolation'))
      .map(({ fixture }) =>
        node('-p', `require('node:fs').readFileSync('tools/tidy/fixtures/${fixture}', 'utf8')`),
      )
      .join('\n');
    const unproven = account.vendors.filter((vendor) => !texts.includes(`'${vendor.replace('*', '')}`));
    expect(unproven).toEqual([]);
  });
});

describe('lint without a project graph', () => {
  it(
    'stops, where the boundary rule alone would skip itself and pass',
    () => {
      const empty = mkdtempSync(join(tmpdir(), 'writ-no-graph-'));
      try {
        const { status, stderr } = spawnSync(
          process.execPath,
          ['node_modules/.bin/eslint', 'tools/tidy/src/index.ts'],
          {
            cwd: root,
            env: { ...process.env, NX_WORKSPACE_DATA_DIRECTORY: empty },
            encoding: 'utf8',
            timeout: startUpMs,
          },
        );
        expect(status).not.toBe(0);
        expect(stderr).toContain('No project graph');
      } finally {
        rmSync(empty, { recursive: true, force: true });
      }
    },
    startUpMs,
  );
});
