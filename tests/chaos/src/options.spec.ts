import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readOptions } from './options';

const read = (...args: readonly string[]) => readOptions(args, () => 42);
const linesOf = (...args: readonly string[]) => {
  const reading = read(...args);
  return reading.ok ? [] : reading.lines;
};

describe('the command line', () => {
  let folder: string;
  beforeAll(() => (folder = mkdtempSync(join(tmpdir(), 'writ-chaos-options-'))));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const file = (text: string): string => {
    writeFileSync(join(folder, 'chaos.yaml'), text);
    return join(folder, 'chaos.yaml');
  };

  it('runs 200 rounds of a new seed where nothing is said', () => {
    expect(read()).toMatchObject({ ok: true, options: { rounds: 200, seed: 42 } });
    expect(read('--rounds', '3', '--seed', '0')).toMatchObject({ ok: true, options: { rounds: 3, seed: 0 } });
  });

  it.each([['--rounds', '0'], ['--rounds', 'x'], ['--seed', '-1'], ['--only', '201'], ['--what'], ['extra']])(
    'refuses %s %s',
    (...args) => {
      expect(linesOf(...args).at(-1)).toContain('Usage');
    },
  );

  it('takes its files relative to the configuration, and names what it does not know by line', () => {
    expect(read('--config', file('tools: ./mine.yaml\npoints: [K5]\n'))).toMatchObject({
      ok: true,
      options: { config: { tools: join(folder, 'mine.yaml'), points: ['K5'], leaseTtlMs: 2_000 } },
    });
    expect(linesOf('--config', file('points: [K5]\nwhat: 1\n'))[0]).toContain(
      'chaos.yaml:2: what: unknown key',
    );
    expect(linesOf('--config', join(folder, 'none.yaml'))[0]).toContain('no file that can be read');
  });

  it('refuses a matrix in which nothing is left to do', () => {
    expect(linesOf('--config', file('kinds: [kill]\npoints: []\n')).length).toBeGreaterThan(0);
    expect(linesOf('--config', file('services: { executors: 1 }\n'))[0]).toContain('there must be two');
  });
});
