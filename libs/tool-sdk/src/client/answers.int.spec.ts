import { HostWorld, request, requireBuilt } from '../testing/host-world';

// Processes are started and killed here, on machines that may be busy: this is no measure of anything.
jest.setTimeout(120_000);

let world: HostWorld;
beforeAll(requireBuilt);
beforeEach(() => {
  world = new HostWorld();
});
afterEach(() => world.end());

describe('what a tool returns', () => {
  it.each([
    ['text', [{ type: 'text', text: 'text' }]],
    ['nothing', [{ type: 'text', text: '' }]],
    ['json', [{ type: 'json', value: { a: [1, true, null] } }]],
    ['surrogate', [{ type: 'text', text: 'x\ufffdy' }]],
    [
      'image',
      [
        {
          type: 'blob',
          mediaType: 'image/png',
          size: 3,
          sha256: 'sha256:039058c6f2c0cb492c533b0a4d14ef77cc0f78abccced5287d84a1a2011cfb81',
        },
      ],
    ],
  ])('comes back as content: %s', async (how, content) => {
    const host = await world.start(['answers.mjs']);
    expect(await host.run(request('answer', { how })).result).toEqual({ status: 'returned', content });
  });

  it.each(['bigint', 'nan', 'cycle'])(
    'is an error that says nothing about the effect, if it is no JSON: %s',
    async (how) => {
      const host = await world.start(['answers.mjs']);
      expect(await host.run(request('answer', { how })).result).toMatchObject({
        status: 'threw',
        notApplied: false,
        code: 'unserialisable_result',
      });
    },
  );

  it('comes back whole at 12 MiB, and as an error over the limit', async () => {
    const host = await world.start(['answers.mjs']);
    const large = await host.run(request('answer', { how: 'large' })).result;
    expect(
      large.status === 'returned' && large.content[0]?.type === 'text' && large.content[0].text.length,
    ).toBe(12 * 1024 * 1024);
    expect(await host.run(request('answer', { how: 'huge' })).result).toMatchObject({
      status: 'threw',
      notApplied: false,
      code: 'result_too_large',
    });
  });

  it('tells an error from one that says nothing was done', async () => {
    const host = await world.start(['answers.mjs']);
    const run = (how: string): Promise<unknown> => host.run(request('answer', { how })).result;
    expect(await run('throws')).toEqual({ status: 'threw', notApplied: false, message: 'TypeError: boom' });
    expect(await run('throwsText')).toEqual({ status: 'threw', notApplied: false, message: 'boom' });
    expect(await run('notApplied')).toEqual({ status: 'threw', notApplied: true, message: 'nothing done' });
  });
});

describe('what a tool sees', () => {
  it('is the environment without settings of ours and keys of the model', async () => {
    const env = { ...process.env, WRIT_TOOLS: 'x', OPENAI_API_KEY: 'x', ANTHROPIC_API_KEY: 'x', BANK: 'x' };
    const host = await world.start(['answers.mjs'], { env });
    const result = await host.run(request('answer', { how: 'environment' })).result;
    const names: unknown =
      result.status === 'returned' && result.content[0]?.type === 'json' && result.content[0].value;
    expect(names).toContain('BANK');
    expect(names).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/^(OPENAI_|ANTHROPIC_|WRIT_(?!TOOL_PROCESS))/)]),
    );
  });
});

describe('check and readback', () => {
  it('refuse with the words of the tool, and refuse as well when the check itself fails', async () => {
    const host = await world.start(['answers.mjs']);
    const check = (how: string): Promise<unknown> => host.check(request('answer', { how }));
    expect(await check('fine')).toEqual({ ok: true });
    expect(await check('refused')).toEqual({ ok: false, refuse: 'not like this' });
    expect(await check('throws')).toEqual({ ok: false, refuse: expect.stringContaining('no idea') });
  });

  it('say what the tool knows about the key, and unknown for everything else', async () => {
    const host = await world.start(['answers.mjs', 'plain.mjs']);
    const readback = (how: string): Promise<unknown> =>
      host.readback(
        request('answer', { how }, { idempotencyKey: 'k', deadlineMs: how === 'hangs' ? 300 : 10_000 }),
      );
    expect(await readback('fine')).toEqual({
      effect: 'applied',
      evidence: { key: 'k' },
      result: [{ type: 'text', text: 'as before' }],
    });
    expect(await readback('throws')).toEqual({
      effect: 'unknown',
      evidence: { why: expect.stringContaining('no idea') },
    });
    expect(await readback('shape')).toEqual({
      effect: 'unknown',
      evidence: { why: expect.stringContaining('shape') },
    });
    expect(await readback('hangs')).toEqual({
      effect: 'unknown',
      evidence: { why: expect.stringContaining('deadline') },
    });
    expect(await host.readback(request('note'))).toMatchObject({ effect: 'unknown' });
  });
});
