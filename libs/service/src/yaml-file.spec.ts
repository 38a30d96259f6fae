import { z } from 'zod';
import { parseYamlFile } from './yaml-file';

const schema = z.strictObject({
  pool: z.string().default('default'),
  slots: z.number().int().positive().optional(),
  lists: z.record(z.string(), z.array(z.string())).default({}),
  rules: z
    .array(
      z.strictObject({ effect: z.union([z.enum(['read', 'write']), z.array(z.enum(['read', 'write']))]) }),
    )
    .default([]),
});

const read = (text: string) => parseYamlFile(text, 'some.yaml', schema);
const problemsOf = (text: string): readonly string[] => {
  const reading = read(text);
  return reading.ok ? [] : reading.problems;
};

describe('a YAML configuration file', () => {
  it('becomes the typed value with its defaults', () => {
    expect(read('slots: 4\nlists: { a: [x] }')).toMatchObject({
      ok: true,
      value: { pool: 'default', slots: 4, lists: { a: ['x'] }, rules: [] },
    });
  });

  it.each(['', '\n\n', '# nothing here\n', '---\n'])('reads %j as an object without members', (text) => {
    expect(read(text)).toMatchObject({ ok: true, value: { pool: 'default' } });
  });

  it.each([
    ['an unknown key', 'pool: a\nslts: 3', 'some.yaml:2: slts: unknown key'],
    [
      'an unknown key further in',
      'rules:\n  - effect: read\n    efect: 1',
      'some.yaml:3: rules[0].efect: unknown key',
    ],
    [
      'a wrong type',
      '\n\nslots: many',
      'some.yaml:3: slots: Invalid input: expected number, received string',
    ],
    [
      'an entry of a list',
      'lists:\n  a:\n    - x\n    - 7',
      'some.yaml:4: lists.a[1]: Invalid input: expected string, received number',
    ],
    [
      'a missing key, at what should have it',
      'rules:\n  - effect: read\n  - {}',
      'some.yaml:3: rules[1].effect: Invalid option: expected one of "read"|"write", or Invalid input: expected array, received undefined',
    ],
    [
      'the alternative that fits furthest down',
      'rules:\n  - effect: [read,\n      wriet]',
      'some.yaml:3: rules[0].effect[1]: Invalid option: expected one of "read"|"write"',
    ],
    ['a file that is no object', '- a', 'some.yaml:1: file: Invalid input: expected object, received array'],
  ])('says of %s which line and path, in one line', (_, text, problem) => {
    expect(problemsOf(text)).toEqual([problem]);
  });

  it.each([
    ['a doubled key', 'pool: a\npool: b', /^some\.yaml:2: .*unique/],
    ['an unclosed list', 'lists: { a: [x\nslots: 3', /^some\.yaml:2: /],
    ['a second document', 'pool: a\n---\npool: b', /^some\.yaml:\d: .*multiple documents/],
    ['an unknown tag', 'pool: !secret a', /^some\.yaml:1: Unresolved tag/],
    ['an alias without its anchor', 'slots: 1\npool: *nowhere', /^some\.yaml:2: an alias without its anchor/],
    ['a key that names the prototype', 'lists:\n  __proto__: [x]', /^some\.yaml:2: the key __proto__/],
    ['a merge key', 'lists: &a { x: [y] }\n<<: *a', /^some\.yaml:2: <<: unknown key/],
  ])('refuses %s', (_, text, problem) => {
    const [first] = problemsOf(text);
    expect(first).toMatch(problem);
    expect(first).not.toContain('\n');
  });

  it('tells several problems in the order of the file', () => {
    expect(problemsOf('bad: 1\nslots: x\nworse: 2').map((line) => line.split(': ')[1])).toEqual([
      'bad',
      'slots',
      'worse',
    ]);
  });

  it('finds the line behind an alias', () => {
    expect(problemsOf('lists:\n  a: &list\n    - 7\n  b: [x]\nrules: *list')).toContainEqual(
      expect.stringMatching(/^some\.yaml:3: rules\[0\]: /),
    );
  });

  it('never repeats a value, which may be a secret', () => {
    for (const text of [
      'slots: hunter2',
      'pool: [hunter2]',
      'rules: [{effect: hunter2}]',
      'pool: "hunter2',
      'a: b: hunter2',
      '- a\nb: hunter2',
      'pool: |hunter2\n x',
      'pool: !hunter2 x',
    ])
      expect(problemsOf(text).join()).not.toContain('hunter2');
  });

  it('refuses a file whose aliases multiply', () => {
    const layers = Array.from(
      { length: 12 },
      (_, i) => `l${i + 1}: &l${i + 1} [${'*l' + i + ','.repeat(1) + '*l' + i}]`,
    );
    const bomb = [`l0: &l0 [${'x,'.repeat(9)}x]`, ...layers].join('\n');
    expect(problemsOf(bomb)).toEqual(['some.yaml: its aliases resolve to too much']);
  });

  it('keeps a problem on one line, whatever the key', () => {
    expect(problemsOf('"a\\nb": 1')).toEqual(['some.yaml:1: a?b: unknown key']);
  });

  it('lists a bounded number of problems', () => {
    const text = Array.from({ length: 60 }, (_, i) => `k${i}: 1`).join('\n');
    expect(problemsOf(text)).toHaveLength(20);
  });

  it('refuses a file over its bound', () => {
    expect(problemsOf(`pool: ${'a'.repeat(1_048_576)}`)).toEqual(['some.yaml: over 1048576 bytes']);
  });

  it('gives later checks their line as well', () => {
    const reading = read('lists:\n  a: [x]\n  b:\n    - y\n    - z');
    const line = reading.ok ? reading.problemAt(['lists', 'b', 1], 'is unknown') : '';
    expect(line).toBe('some.yaml:5: lists.b[1]: is unknown');
  });
});
