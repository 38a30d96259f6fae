import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { HostWorld, request, requireBuilt } from '../testing/host-world';

// Processes are started and killed here, on machines that may be busy: this is no measure of anything.
jest.setTimeout(120_000);

let world: HostWorld;
beforeAll(requireBuilt);
beforeEach(() => {
  world = new HostWorld();
});
afterEach(() => world.end());

describe('write_file, killed at any moment', () => {
  it('has written the file whole or not at all, and its readback knows which', async () => {
    const root = world.path('root');
    const host = await world.start([], { builtin: { root, tools: ['read_file', 'write_file'] } });
    const answers = new Set<string>();
    for (let round = 0; round < 30; round += 1) {
      const file = `${root}/${round}.txt`;
      const content = `${round} `.repeat(20_000);
      const call = { idempotencyKey: `key-${round}` };
      // A first call, so that the process is warm and the kill falls into the write.
      await host.run(request('read_file', { path: 'absent' })).result;
      const run = host.run(request('write_file', { path: `${round}.txt`, content }, { ...call, epoch: 1 }));
      await new Promise((resolve) => setTimeout(resolve, round / 4));
      await host.killAll('stop');
      const result = await run.result;
      const { effect } = await host.readback(request('write_file', {}, { ...call, epoch: 2 }));
      answers.add(effect);
      expect(existsSync(file)).toBe(effect === 'applied');
      if (result.status === 'returned') expect(effect).toBe('applied');
      if (effect === 'not_applied') {
        const again = request('write_file', { path: `${round}.txt`, content }, { ...call, epoch: 3 });
        expect((await host.run(again).result).status).toBe('returned');
      }
      expect(readFileSync(file, 'utf8')).toBe(content);
    }
    expect([...answers].sort()).toEqual(['applied', 'not_applied']);
    expect(readdirSync(root).filter((name) => !/^([0-9]+\.txt|\.writ)$/.test(name))).toEqual([]);
  });

  it('runs beside the other built-in tools like any module’s tool', async () => {
    const root = world.path('root');
    const host = await world.start(['plain.mjs'], {
      builtin: { root, tools: ['write_file', 'list_folder', 'read_file'] },
    });
    expect(host.tools.map(({ name, effectClass }) => `${name} ${effectClass}`).sort()).toEqual([
      'echo read',
      'list_folder read',
      'note idempotent',
      'read_file read',
      'write_file reconcilable',
    ]);
    expect(await host.check(request('write_file', { path: '../x', content: '' }))).toMatchObject({
      ok: false,
    });
    expect(await host.run(request('write_file', { path: '../x', content: '' })).result).toMatchObject({
      status: 'threw',
      notApplied: true,
    });
    await host.run(request('write_file', { path: 'a.txt', content: 'ä' })).result;
    expect(await host.run(request('read_file', { path: 'a.txt' })).result).toEqual({
      status: 'returned',
      content: [{ type: 'text', text: 'ä' }],
    });
    expect(await host.run(request('list_folder')).result).toMatchObject({
      content: [{ value: { entries: [{ name: 'a.txt', kind: 'file', size: 2 }] } }],
    });
  });
});
