import type { Json } from '@writ/contracts';
import { visibleTool } from '../testing/tools';
import { definitionDigest, schemaValidation } from '.';

type Schema = { [key: string]: Json };
const validation = schemaValidation();
const toolWith = (inputSchema: Schema) => visibleTool('t', { inputSchema });
const messageOf = (schema: Schema, args: Schema) => {
  const verdict = validation.validate(toolWith(schema), args);
  return verdict.ok ? 'ok' : verdict.message;
};
const object = (properties: Schema, more: Schema = {}): Schema => ({ type: 'object', properties, ...more });

describe('arguments against a schema', () => {
  it.each<[string, Schema, Schema, string]>([
    ['fit', object({ a: { type: 'integer' } }), { a: 1 }, 'ok'],
    ['are not coerced', object({ a: { type: 'integer' } }), { a: '1' }, '/a must be integer'],
    ['lack a member', object({}, { required: ['a'] }), {}, "the arguments must have required property 'a'"],
    [
      'have one too many',
      object({}, { additionalProperties: false }),
      { b: 'hunter2' },
      'the arguments must NOT have additional properties: "b"',
    ],
    [
      'are none of an enum',
      object({ a: { enum: ['x', 'y'] } }),
      { a: 'hunter2' },
      '/a must be equal to one of the allowed values: ["x","y"]',
    ],
    [
      'are not the constant',
      object({ a: { const: 5 } }),
      { a: 'hunter2' },
      '/a must be equal to constant: 5',
    ],
    [
      'miss a format',
      object({ a: { type: 'string', format: 'email' } }),
      { a: 'hunter2' },
      '/a must match format "email"',
    ],
    [
      'miss a pattern',
      object({ a: { type: 'string', pattern: '^x' } }),
      { a: 'hunter2' },
      '/a must match pattern "^x"',
    ],
    [
      'use a 2020-12 keyword',
      object({ a: { prefixItems: [{ type: 'string' }], items: false } }),
      { a: ['x', 1] },
      '/a must NOT have more than 1 items',
    ],
    [
      'follow a reference',
      object({ a: { $ref: '#/$defs/n' } }, { $defs: { n: { type: 'number' } } }),
      { a: 'x' },
      '/a must be number',
    ],
    [
      'ignore an unknown keyword',
      object({ a: { type: 'string', 'x-hint': 1, example: 2 } }),
      { a: 'x' },
      'ok',
    ],
    ['ignore an unknown format', object({ a: { type: 'string', format: 'colour' } }), { a: 'x' }, 'ok'],
    [
      'do not own what they inherit',
      object({}, { required: ['toString'] }),
      {},
      "the arguments must have required property 'toString'",
    ],
  ])('%s', (...[, schema, args, wanted]) => {
    expect(messageOf(schema, args)).toBe(wanted);
  });

  it('are never changed: defaults stay out and additional members stay in', () => {
    const schema = object({ a: { type: 'string', default: 'x' } }, { additionalProperties: true });
    const args = Object.freeze({ b: Object.freeze([1]) });
    expect(validation.validate(toolWith(schema), { b: [...args.b] })).toEqual({ ok: true });
    const given = { b: [1] };
    validation.validate(toolWith(schema), given);
    expect(given).toEqual({ b: [1] });
  });

  it('get every fault at once, a bounded number in bounded lines, and no value', () => {
    const schema = object({}, { additionalProperties: { type: 'number' } });
    const args = Object.fromEntries(
      Array.from({ length: 40 }, (_, i) => [`key${i}-${'k'.repeat(400)}`, 'hunter2']),
    );
    const message = messageOf(schema, args);
    expect(message.split('; ')).toHaveLength(9);
    expect(message).toMatch(/; and 32 more$/);
    expect(message.length).toBeLessThan(2_200);
    expect(message).not.toContain('hunter2');
  });
});

describe('a schema that cannot be used', () => {
  it.each<[string, Schema, RegExp]>([
    ['a wrong type', { type: 'thing' }, /type/],
    ['a pattern that is none', object({ a: { type: 'string', pattern: '(' } }), /Invalid regular expression/],
    [
      'a reference to elsewhere',
      object({ a: { $ref: 'https://example.test/x.json' } }),
      /can't resolve reference/,
    ],
    ['a reference to nothing', object({ a: { $ref: '#/$defs/gone' } }), /can't resolve reference/],
    [
      'another draft',
      { $schema: 'http://json-schema.org/draft-04/schema#', type: 'object' },
      /no schema with key or ref/,
    ],
    ['an answer that would be a promise', { $async: true, type: 'object' }, /asynchronous/],
    ['a list where a schema belongs', object({ a: { items: [{ type: 'string' }] } }), /items/],
  ])('%s has a reason in one line and accepts nothing', (_, schema, reason) => {
    const tool = toolWith(schema);
    expect(validation.problemOf(tool)).toMatch(reason);
    expect(validation.problemOf(tool)).not.toContain('\n');
    expect(validation.validate(tool, {})).toMatchObject({ ok: false });
  });

  it('cannot take the place of the dialect by its id', () => {
    const impostor = { $id: 'https://json-schema.org/draft/2020-12/schema', type: 'object' };
    validation.problemOf(toolWith(impostor));
    expect(validation.problemOf(toolWith({ type: 'object', title: 'after the impostor' }))).toBeUndefined();
  });

  it('does not keep a sound one from being used, even with the same id', () => {
    const withId = (type: string) =>
      toolWith({ $id: 'https://example.test/same', ...object({ a: { type } }) });
    expect(validation.validate(withId('string'), { a: 'x' })).toEqual({ ok: true });
    expect(validation.validate(withId('number'), { a: 1 })).toEqual({ ok: true });
    expect(validation.problemOf(withId('string'))).toBeUndefined();
  });
});

describe('compiled schemas', () => {
  it('are kept by definition digest, the least used going first', () => {
    const small = schemaValidation({ compiled: 2 });
    const reads: string[] = [];
    const tool = (name: string) => ({
      definitionDigest: name,
      get inputSchema() {
        reads.push(name);
        return { type: 'object' };
      },
    });
    for (const name of ['a', 'b', 'a', 'c', 'a', 'b']) small.problemOf(tool(name));
    const compiledOften = new Map<string, number>();
    for (const name of reads) compiledOften.set(name, (compiledOften.get(name) ?? 0) + 1);
    expect([...compiledOften]).toEqual(
      expect.arrayContaining([
        ['a', 1],
        ['c', 1],
        ['b', 2],
      ]),
    );
  });
});

describe('the definition digest', () => {
  const tool = visibleTool('t');

  it.each([
    ['description', { description: 'x' }],
    ['input', { inputSchema: {} }],
    ['effect class', { effectClass: 'irreversible' as const }],
    ['concurrency', { concurrency: 'exclusive' as const }],
    ['timeout', { timeoutMs: 1 }],
    ['fence', { fenced: true }],
    ['delegate', { delegate: true }],
    ['version', { version: '2' }],
    ['name', { name: 'u' }],
  ])('covers the %s', (_, change) => {
    expect(definitionDigest({ ...tool, ...change })).not.toBe(definitionDigest(tool));
  });

  it('covers nothing else, and not the order of members', () => {
    const published = { ...tool, hasReadback: true, hasCheck: true, pool: 'other' };
    expect(definitionDigest(published)).toBe(definitionDigest(tool));
    expect(definitionDigest({ ...tool, inputSchema: { a: 1, b: 2 } })).toBe(
      definitionDigest({ ...tool, inputSchema: { b: 2, a: 1 } }),
    );
  });
});
