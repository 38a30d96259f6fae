import { writeFileSync } from 'node:fs';
import { startToolHost, type ToolHostOptions } from '../client/tool-host';
import { HostWorld, request, requireBuilt } from '../testing/host-world';

// Processes are started and killed here, on machines that may be busy: this is no measure of anything.
jest.setTimeout(120_000);

let world: HostWorld;
beforeAll(requireBuilt);
beforeEach(() => {
  world = new HostWorld();
});
afterEach(() => world.end());

function module(name: string, text: string): string {
  const path = world.path(name);
  writeFileSync(path, text);
  return path;
}

async function problemsOf(
  modules: readonly string[],
  more: Partial<ToolHostOptions> = {},
): Promise<readonly string[]> {
  const started = await startToolHost(world.options(modules, more));
  if (!started.ok) return started.problems;
  await started.host.stop();
  return [];
}

const tool = (name: string, more = ''): string =>
  `{ name: '${name}', description: '', input: {}, effect: 'read', run: () => 'ran', ${more} }`;

describe('a module', () => {
  it('gives all its tools, named or default, single or in an array, and each of them once', async () => {
    const path = module(
      'many.mjs',
      `export const one = ${tool('one')};
       export const list = [${tool('two')}, 'no tool', ${tool('three')}];
       export const other = { name: 'no tool either' };
       export default one;`,
    );
    const host = await world.start([path]);
    expect(host.tools.map(({ name }) => name).sort()).toEqual(['one', 'three', 'two']);
    expect(await host.run(request('three')).result).toEqual({
      status: 'returned',
      content: [{ type: 'text', text: 'ran' }],
    });
  });

  it('may be CommonJS', async () => {
    const host = await world.start([module('common.cjs', `exports.one = ${tool('one')};`)]);
    expect(host.tools.map(({ name }) => name)).toEqual(['one']);
  });

  it('may bring zod schemas', async () => {
    const host = await world.start(['with-zod.mjs']);
    expect(host.tools[0]?.inputSchema).toMatchObject({ type: 'object', required: ['from', 'cents'] });
  });

  it('may use defineTool', async () => {
    const host = await world.start(['with-define-tool.mjs']);
    const add = request('add', { a: 1, b: 2 });
    expect(await host.run(add).result).toEqual({
      status: 'returned',
      content: [{ type: 'json', value: { sum: 3 } }],
    });
    expect(world.lines).toContainEqual({
      event: 'tool_log',
      fields: { toolProcess: expect.any(Number), message: `adding for ${add.callId}`, callId: add.callId },
    });
  });

  it('is refused with one line for every schema that would lose something', async () => {
    expect(await problemsOf(['with-lost-zod.mjs'])).toHaveLength(9);
  });

  it.each([
    ['throws', `throw new Error('no bank');`, /broken\.mjs: cannot be loaded: Error: no bank/],
    ['does not parse', `export const = 1;`, /broken\.mjs: cannot be loaded: SyntaxError/],
    ['has no tool', `export const tool = 1;`, /broken\.mjs: exports no tool/],
    ['ends its process', `process.exit(3);`, /it ended while .*broken\.mjs was imported/],
  ])('that %s is named', async (_what, text, words) => {
    expect(await problemsOf([module('broken.mjs', text)])).toEqual([expect.stringMatching(words)]);
  });

  it('that is not there is named', async () => {
    expect(await problemsOf([world.path('absent.mjs')])).toEqual([
      expect.stringMatching(/absent\.mjs: cannot be loaded/),
    ]);
  });

  it('that never finishes loading is named, and does not hang the one who asked', async () => {
    const path = module('spins.mjs', 'for (;;);');
    expect(await problemsOf([path])).toEqual([
      expect.stringMatching(/nothing came of it in .* while .*spins\.mjs was imported/),
    ]);
  });

  it('with a tool whose name another module has stops the start', async () => {
    const paths = [
      module('a.mjs', `export default ${tool('one')};`),
      module('b.mjs', `export default ${tool('one')};`),
    ];
    expect(await problemsOf(paths)).toEqual([
      expect.stringMatching(/b\.mjs.*name: a tool of this name is in .*a\.mjs/),
    ]);
  });

  it('that has changed since the start is not run by a later process', async () => {
    const path = module('changes.mjs', `export default ${tool('one', "version: '1'")};`);
    const host = await world.start([path], { slots: 1 });
    await host.killAll('stop');
    writeFileSync(path, `export default ${tool('one', "version: '2'")};`);
    await host.killAll('stop');
    expect(await host.run(request('one')).result).toEqual({
      status: 'killed',
      reason: 'crashed',
      neverStarted: true,
    });
    expect(world.lines).toContainEqual(
      expect.objectContaining({
        fields: expect.objectContaining({ why: expect.stringContaining('other tools') }),
      }),
    );
  });
});

describe('a host', () => {
  it('works without setpriv, and says so once', async () => {
    const host = await world.start(['plain.mjs'], { env: { PATH: world.folder } });
    expect((await host.run(request('echo')).result).status).toBe('returned');
    await host.killAll('stop');
    expect((await host.run(request('echo')).result).status).toBe('returned');
    expect(world.lines.filter(({ event }) => event === 'tool_host_without_setpriv')).toHaveLength(1);
  });

  it('does not start where it cannot listen', async () => {
    const problems = await problemsOf(['plain.mjs'], { socketPath: `${world.folder}/${'x'.repeat(100)}` });
    expect(problems).toEqual([expect.stringMatching(/socket path .* allowed are 99/)]);
    expect(await problemsOf(['plain.mjs'], { socketPath: world.path('no/such/folder.sock') })).toEqual([
      expect.stringMatching(/tool host did not start/),
    ]);
  });
});
