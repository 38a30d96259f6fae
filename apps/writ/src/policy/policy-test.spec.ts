import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { InMemoryEventStore } from '@writ/event-store';
import { publishManifest, type EventStore } from '@writ/runtime';
import { clock, entropy } from '../system';
import { said } from '../testing/said';

const config = `platforms:
  api: { toolsets: [] }
  web: { toolsets: [] }
policy:
  - { match: { platform: web, effect: [reconcilable, irreversible] }, decide: refuse, reason: not from the web }
  - { match: { effect: read }, decide: allow }
  - match: { tool: 'run_*' }
    decide: ask
    reason: runs a command
    deadline: 5m
  - { match: { tool: write_file, args: { path: '^/etc/' } }, decide: refuse, reason: system files }
  - { match: { tool: write_file, metadata: { team: '^ops$' } }, decide: allow }
`;

describe('writ policy test', () => {
  let folder: string;
  let store: EventStore;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'writ-policy-'));
    writeFileSync(join(folder, 'writ.config.yaml'), config);
    store = unreachable;
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const file = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const ask = async (...line: readonly string[]) => {
    const configFile = join(folder, 'writ.config.yaml');
    const { code, stdout, stderr } = await said(['policy', 'test', ...line], { store, configFile });
    return { code, stdout, stderr: stderr.replaceAll(`${folder}/`, '') };
  };
  const decided = async (...line: readonly string[]): Promise<unknown> =>
    JSON.parse((await ask(...line, '--json')).stdout);

  it('says of one call what is decided, by which rule of which line, and why', async () => {
    expect(await decided('--tool', 'run_command', '--effect', 'irreversible')).toEqual({
      ok: true,
      config: join(folder, 'writ.config.yaml'),
      cases: [
        {
          tool: 'run_command',
          effect: 'irreversible',
          effectFrom: 'given',
          platform: 'api',
          decide: 'ask',
          rule: 'policy[2]',
          file: join(folder, 'writ.config.yaml'),
          line: 7,
          why: 'tool run_*: runs a command',
          reason: 'runs a command',
          approvalDeadlineMs: 300_000,
          onDoubt: 'tell_model',
          ok: true,
        },
      ],
    });
    const forPeople = await ask('--tool', 'run_command', '--effect', 'irreversible');
    expect(forPeople).toMatchObject({ code: 0, stderr: '' });
    expect(forPeople.stdout).toMatch(
      /run_command +irreversible +ask +policy\[2\] .*writ\.config\.yaml:7 +tool run_\*: runs a command\n/,
    );
  });

  it.each([
    [['--args', '{"path":"/srv/../etc/passwd"}'], 'refuse', 'policy[3]'],
    [['--metadata', '{"team":"ops"}'], 'allow', 'policy[4]'],
    [['--metadata', '{"team":"dev"}'], 'refuse', 'policy:none'],
    [['--args', '{"path":"a://b/../../etc/x"}'], 'refuse', 'policy:none'],
    [['--platform', 'web', '--metadata', '{"team":"ops"}'], 'allow', 'policy[4]'],
  ] as const)('asks as the round does: %j is %s by %s', async (more, decide, rule) => {
    expect(await decided('--tool', 'write_file', '--effect', 'idempotent', ...more)).toMatchObject({
      cases: [{ decide, rule }],
    });
  });

  it('proves a file of cases, and says by its exit code whether all is as expected', async () => {
    const cases = file(
      'cases.yaml',
      `- { tool: read_file, effect: read, expect: allow, rule: 'policy[1]' }
- { tool: run_x, effect: irreversible, platform: web, expect: refuse, rule: 'policy[0]' }
- { tool: write_file, effect: idempotent, args: { path: /etc/x }, expect: refuse }
- { tool: other, effect: idempotent, expect: refuse, rule: 'policy:none' }
`,
    );
    const good = await ask(cases);
    expect(good).toMatchObject({ code: 0, stderr: '' });
    expect(good.stdout).toContain('✓ 4 cases as expected');
    const more = file(
      'more.yaml',
      `- { tool: read_file, effect: read, expect: ask }
- { tool: read_file, effect: read, expect: allow, rule: 'policy[0]' }
- { tool: read_file, effect: read, expect: allow }
`,
    );
    const bad = await ask(more);
    expect(bad.code).toBe(1);
    expect(bad.stdout).toMatch(/✗ +line 1 +read_file .* expected ask; effect read\n/);
    expect(bad.stdout).toMatch(/✗ +line 2 +read_file .* expected allow by policy\[0\]; effect read\n/);
    expect(bad.stdout).toMatch(/✓ +line 3 /);
    expect(bad.stdout).toContain('✗ 2 of 3 cases differ');
    const forPrograms = await ask(more, '--json');
    expect(forPrograms.code).toBe(1);
    expect(JSON.parse(forPrograms.stdout)).toMatchObject({
      ok: false,
      cases: [
        { ok: false, caseLine: 1, expected: { decide: 'ask' }, decide: 'allow' },
        { ok: false, caseLine: 2, expected: { decide: 'allow', rule: 'policy[0]' }, rule: 'policy[1]' },
        { ok: true, caseLine: 3 },
      ],
    });
  });

  it('takes the effect class of what the executors have published, where none is given', async () => {
    store = new InMemoryEventStore();
    const tool = (name: string, effectClass: 'read' | 'idempotent') => ({
      ...{ name, description: name, inputSchema: { type: 'object' }, effectClass, version: '1' },
      ...{ concurrency: 'exclusive' as const, timeoutMs: 1, fenced: false, delegate: false },
      ...{ definitionDigest: `sha256:${'a'.repeat(64)}`, hasReadback: false, hasCheck: false },
    });
    const context = { actor: { service: 'tool-executor' as const }, correlationId: 'p' };
    const edge = { store, clock, entropy };
    await publishManifest(edge, { pool: 'p', tools: [tool('look', 'read'), tool('two', 'read')] }, context);
    await publishManifest(edge, { pool: 'q', tools: [tool('two', 'idempotent')] }, context);
    expect(await decided('--tool', 'look')).toMatchObject({
      cases: [{ effect: 'read', effectFrom: 'manifest', decide: 'allow' }],
    });
    expect((await ask('--tool', 'two')).stderr).toBe(
      'writ: --effect: must be given: pools have published the tool with several\n',
    );
    expect((await ask('--tool', 'nobody')).stderr).toBe(
      'writ: --effect: must be given: no pool has published the tool\n',
    );
  });

  it.each([
    ['nothing to ask', [], 'name either a file of cases or one call with --tool'],
    ['both', ['cases.yaml', '--tool', 'a'], 'name either a file of cases or one call with --tool'],
    ['a file that is not there', ['nowhere.yaml'], 'nowhere.yaml cannot be read'],
    [
      'a configuration that is not there',
      ['--tool', 'a', '--config', 'nowhere.yaml'],
      'nowhere.yaml cannot be read; name the configuration with --config',
    ],
    [
      'arguments that are none',
      ['--tool', 'a', '--effect', 'read', '--args', '[1]'],
      '--args: not_object: it must be a JSON object',
    ],
    [
      'an effect class that is none',
      ['--tool', 'a', '--effect', 'wriet'],
      '--effect: Invalid option: expected one of "read"|"idempotent"|"reconcilable"|"irreversible"',
    ],
    [
      'no effect class and no store',
      ['--tool', 'a'],
      '--effect: must be given: the store, whose manifests would name it, cannot be reached',
    ],
    [
      'a platform that is none',
      ['--tool', 'a', '--effect', 'read', '--platform', 'fax'],
      '--platform: unknown platform',
    ],
  ])('is wrong usage with %s', async (_, line, problem) => {
    expect(await ask(...line)).toEqual({ code: 2, stdout: '', stderr: `writ: ${problem}\n` });
  });

  it.each([
    ['- { tool: a, effect: read }', '1: [0].expect: Invalid option: expected one of "allow"|"ask"|"refuse"'],
    ['- tool: a\n  expect: allow\n  efect: read', '3: [0].efect: unknown key'],
    ['- tool: a\n  expect: allow\n  rule: 3', '3: [0].rule: Invalid input: expected string, received number'],
    ['- tool: a\n  effect: read\n  expect: allow\n  platform: fax', '4: [0].platform: unknown platform'],
    ['[]', '1: file: must have at least one case'],
  ])('names field and line of what is wrong with a case: %j', async (text, problem) => {
    const ended = await ask(file('cases.yaml', text));
    expect(ended).toEqual({ code: 2, stdout: '', stderr: `writ: cases.yaml:${problem}\n` });
  });

  it('refuses to answer out of a broken policy, naming field and line', async () => {
    const broken = file('broken.yaml', 'policy:\n  - match: { tool: "run_[" }\n    decide: ask\n');
    expect(await ask('--tool', 'a', '--effect', 'read', '--config', broken)).toEqual({
      code: 2,
      stdout: '',
      stderr: 'writ: broken.yaml:2: policy[0].match.tool: must be a glob over tool names\n',
    });
  });
});

const out = { outcome: 'unavailable', cause: 'store_unavailable' } as const;

/** A store that does not answer: what needs none must do without. */
const unreachable: EventStore = {
  append: () => Promise.reject(new Error('nothing may be written')),
  capStream: () => Promise.reject(new Error('nothing may be written')),
  readStream: () => Promise.resolve(out),
  readAll: () => Promise.resolve(out),
  follow: () => ({ close: () => Promise.resolve() }),
  ping: () => Promise.resolve(false),
  close: () => Promise.resolve(),
};
