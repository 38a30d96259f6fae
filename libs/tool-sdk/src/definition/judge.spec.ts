import { z } from 'zod';
import { defineTool, judgeTool } from './define-tool';
import { judgeTools } from './judge';

const plain = {
  name: 'probe',
  description: 'Probes.',
  input: { type: 'object' },
  effect: 'read',
  run: (): string => '',
};

const problemsOf = async (tool: object): Promise<readonly string[]> => {
  const judged = await judgeTool(tool, 'bank.mjs');
  return judged.ok ? [] : judged.problems;
};

describe('a tool', () => {
  it('is data with its defaults filled in, and flags for what it can do', async () => {
    expect(await judgeTool(plain)).toEqual({
      ok: true,
      tools: [
        {
          name: 'probe',
          description: 'Probes.',
          inputSchema: { type: 'object' },
          effectClass: 'read',
          concurrency: 'exclusive',
          timeoutMs: 60_000,
          fenced: false,
          delegate: false,
          version: '1',
          hasReadback: false,
          hasCheck: false,
        },
      ],
    });
  });

  it('may bring a zod schema, which becomes JSON Schema 2020-12', async () => {
    const judged = await judgeTool({
      ...plain,
      input: z.object({ from: z.string(), cents: z.number().int().positive() }),
    });
    expect(judged.ok && judged.tools[0]?.inputSchema).toEqual({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: {
        from: { type: 'string' },
        cents: { type: 'integer', exclusiveMinimum: 0, maximum: Number.MAX_SAFE_INTEGER },
      },
      required: ['from', 'cents'],
      additionalProperties: false,
    });
  });

  it('may bring its own copy of zod', async () => {
    let other: typeof z = z;
    await jest.isolateModulesAsync(async () => {
      other = (await import('zod')).z;
    });
    expect(other.object).not.toBe(z.object);
    const judged = await judgeTool({ ...plain, input: other.object({ a: other.string() }) });
    expect(judged.ok && judged.tools[0]?.inputSchema).toMatchObject({
      properties: { a: { type: 'string' } },
    });
    expect(await problemsOf({ ...plain, input: other.object({ a: other.string().trim() }) })).toHaveLength(1);
  });

  it.each([
    [
      { name: 'no blanks' },
      /bank\.mjs, export default \(tool no blanks\): name: .*\^\[a-zA-Z0-9_-\]\{1,64\}\$/,
    ],
    [{ description: undefined }, /\(tool probe\): description: .*expected string, received undefined/],
    [{ effect: 'write' }, /effect: .*allowed: read, idempotent, reconcilable, irreversible/],
    [{ effect: 'reconcilable' }, /readback: a reconcilable tool must have one/],
    [{ concurrency: { writes: ['from'] } }, /concurrency.*JSON Pointers/],
    [{ timeoutMs: 0 }, /timeoutMs: .*whole number of milliseconds/],
    [{ timeoutMs: '5s' }, /timeoutMs: .*whole number of milliseconds/],
    [{ fenced: 'yes' }, /fenced: .*expected boolean/],
    [{ version: 2 }, /version: .*a text of 1 to 100 characters/],
    [{ run: 'x' }, /run: must be a function, found string/],
    [{ readback: 'x' }, /readback: must be a function, found string/],
    [{ check: {} }, /check: must be a function, found object/],
    [{ readBack: () => {} }, /readBack: unknown field; allowed: name, .*readback/],
    [{ input: undefined }, /input: must be a JSON Schema object or a zod schema/],
    [{ input: 'object' }, /input: must be a JSON Schema object or a zod schema/],
    [{ input: { type: 'string' } }, /input: .*the arguments of a tool are an object/],
    [{ input: z.string() }, /input: .*the arguments of a tool are an object/],
    [{ input: { type: 'object', default: () => {} } }, null],
    [{ input: { _def: {}, safeParse: () => {} } }, /input: .*zod 3; allowed are zod 4 and JSON Schema/],
  ])('with %j is refused in words that say where and what is allowed', async (change, words) => {
    const problems = await problemsOf({ ...plain, ...change });
    if (words === null) expect(problems).toEqual([]);
    else expect(problems).toEqual([expect.stringMatching(words)]);
  });

  it.each([
    [
      'a transform',
      z.object({ a: z.object({ b: z.string().transform(Number) }) }),
      /at \/a\/b: a transform|at \/a\/b: a pipe/,
    ],
    ['a refinement', z.object({ a: z.string().refine(() => true) }), /at \/a: a refinement/],
    ['a refinement of all', z.object({ a: z.string() }).refine(() => true), /input: a refinement/],
    ['trim', z.object({ a: z.array(z.string().trim()) }), /at \/a: a transform/],
    ['a default', z.object({ a: z.string().default('x') }), /at \/a: a default/],
    ['coerce', z.object({ a: z.coerce.number() }), /at \/a: coerce/],
    ['preprocess', z.object({ a: z.preprocess((a) => a, z.string()) }), /at \/a: a pipe/],
    ['flags', z.object({ a: z.string().regex(/x/i) }), /at \/a: the flags of \/x\/i get lost/],
    [
      'in a union',
      z.object({ a: z.union([z.number(), z.string().refine(() => true)]) }),
      /at \/a(\/1)?: a refinement/,
    ],
    ['in a lazy one', z.object({ a: z.lazy(() => z.string().refine(() => true)) }), /at \/a: a refinement/],
    ['dates', z.object({ a: z.date() }), /input: Date cannot be represented/],
  ])('is refused when its zod schema has what JSON Schema cannot say: %s', async (_what, input, words) => {
    expect(await problemsOf({ ...plain, input })).toEqual([expect.stringMatching(words)]);
  });

  it('says all its problems at once', async () => {
    expect(await problemsOf({ name: 'x', run: 1 })).toHaveLength(4);
  });
});

describe('tools of several modules', () => {
  it('may not share a name, and both places are named', async () => {
    const described = (file: string) => ({
      file,
      export: 'default',
      fields: { name: 'probe', description: '', input: {}, effect: 'read' },
      functions: { run: 'function', readback: 'undefined', check: 'undefined' },
      unknownKeys: [],
    });
    expect(judgeTools({ tools: [described('a.mjs'), described('b.mjs')], problems: [] })).toEqual({
      ok: false,
      problems: [
        'b.mjs, export default (tool probe): name: a tool of this name is in a.mjs, export default as well',
      ],
    });
  });
});

describe('defineTool', () => {
  it('gives back what it was given, with the arguments typed by the schema', () => {
    const tool = defineTool({
      name: 'probe',
      description: '',
      input: z.object({ cents: z.number() }),
      effect: 'read',
      run: ({ cents }) => cents + 1,
    });
    expect(tool.name).toBe('probe');
  });

  it('throws at once for what would only be noticed when the executor starts', () => {
    const tool = { ...plain, effect: 'reconcilable' as const };
    expect(() => defineTool(tool)).toThrow(/probe: readback/);
  });
});
