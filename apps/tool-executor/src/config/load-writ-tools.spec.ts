import { loadWritTools } from '.';

const load = (text: string) => loadWritTools(text, '/srv/writ/writ.tools.yaml');
const problemsOf = (text: string): readonly string[] => {
  const loaded = load(text);
  return loaded.ok ? [] : loaded.problems.map((line) => line.replace('/srv/writ/writ.tools.yaml:', ''));
};

describe('writ.tools.yaml', () => {
  it('names what to load, by paths relative to the file', () => {
    const text = `
pool: money
slots: 2
modules: [./tools/bank.mjs, /opt/more.mjs]
builtin: { root: ../files, tools: [read_file, write_file] }
http: { allow: [], idempotent: [] }
mcp: []
`;
    expect(load(text)).toEqual({
      ok: true,
      tools: {
        pool: 'money',
        slots: 2,
        modules: ['/srv/writ/tools/bank.mjs', '/opt/more.mjs'],
        builtin: { root: '/srv/files', tools: ['read_file', 'write_file'] },
      },
    });
  });

  it('may be empty: the default pool with eight slots and no tools', () => {
    expect(load('')).toEqual({ ok: true, tools: { pool: 'default', slots: 8, modules: [] } });
  });

  it.each([
    [
      'an MCP server',
      'mcp:\n  - { name: files, command: npx }',
      '2: mcp[0]: MCP servers cannot be mounted yet; remove the entry',
    ],
    [
      'an allowed origin',
      'http:\n  allow:\n    - https://a.test',
      '2: http.allow: http_get and http_post do not exist yet; leave the list empty',
    ],
    [
      'an idempotent origin',
      'http: { idempotent: [https://a.test] }',
      '1: http.idempotent: http_get and http_post do not exist yet; leave the list empty',
    ],
    ['an unknown key', 'slot: 3', '1: slot: unknown key'],
    [
      'an unknown tool',
      'builtin:\n  root: .\n  tools: [read_file, rm]',
      '3: builtin.tools[1]: Invalid option: expected one of "read_file"|"list_folder"|"write_file"',
    ],
    ['too many slots', 'slots: 257', '1: slots: Too big: expected number to be <=256'],
  ])('refuses %s in one line', (_, text, problem) => {
    expect(problemsOf(text)).toEqual([problem]);
  });

  it('never repeats the environment of a server, which may hold secrets', () => {
    expect(problemsOf('mcp: [{ name: a, command: b, env: { KEY: [hunter2] } }]').join()).not.toContain(
      'hunter2',
    );
  });
});
