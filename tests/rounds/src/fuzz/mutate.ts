import type { Random } from './random';

/** Values that endpoints, routers and models have put in place of others. */
const odd: readonly [unknown, ...unknown[]] = [
  null,
  '',
  ' ',
  0,
  -1,
  1.5,
  true,
  [],
  {},
  [null],
  'null',
  'constructor',
  '__proto__',
  'x'.repeat(300),
  '\ud800',
  'a\0b',
  'length',
  'multi_tool_use.parallel',
  'functions.read_file',
  '{"tool_uses":[]}',
  '{"path":"x"}',
  { path: 'x' },
  1e300,
];
/** Pieces that break or change a text of JSON. */
const pieces: readonly [string, ...string[]] = [
  '',
  '"',
  '\\',
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  ' ',
  '\n',
  '\\u0000',
  '\\ud800',
  '\ud800',
  '"__proto__":1,',
  '"k":"1",',
  '"path":"y",',
  '//',
  '😀',
  '\u200b',
  '{"a":'.repeat(70),
];
/** Values that a text of JSON may hold where another stood. */
const literals: readonly [string, ...string[]] = [
  '1e999',
  '1e-999',
  '9007199254740993',
  '9007199254740993e0',
  '0.1000000000000000000001',
  '-0',
  '"\\u0000"',
  '"\\ud800"',
  '"2"',
  '{}',
  '[1,[2]]',
  'null',
  'NaN',
  `${'{"a":'.repeat(70)}1${'}'.repeat(70)}`,
];

/** The shape with one to four things in it changed: values, keys, order, texts. The shape itself is left alone. */
export function mutated(shape: unknown, random: Random): unknown {
  let value: unknown = structuredClone(shape);
  for (let left = 1 + random.below(4); left > 0; left -= 1) value = changed(value, random);
  return value;
}

function changed(value: unknown, random: Random): unknown {
  // What carries meaning lies at the bottom.
  const stays = random.next() < 0.015;
  if (typeof value === 'string') return random.next() < 0.7 ? spliced(value, random) : random.of(odd);
  if (Array.isArray(value)) return stays || value.length === 0 ? random.of(odd) : inList([...value], random);
  if (typeof value === 'object' && value !== null && !stays) return inObject({ ...value }, random);
  return random.of(odd);
}

function inList(list: unknown[], random: Random): unknown[] {
  const at = random.below(list.length);
  const other = random.below(list.length);
  switch (random.below(8)) {
    case 0:
      if (list.length > 1 || random.below(8) === 0) list.splice(at, 1);
      break;
    case 1:
      list.splice(at, 0, structuredClone(list[other]));
      break;
    case 2:
      [list[at], list[other]] = [list[other], list[at]];
      break;
    default:
      list[at] = changed(list[at], random);
  }
  return list;
}

/** Mutations that were drawn evenly would mostly hit what nobody reads. */
const wayToCalls: ReadonlySet<string> = new Set([
  ...['choices', 'message', 'tool_calls', 'function_call', 'function', 'custom'],
  ...['name', 'arguments', 'input'],
]);

function inObject(fields: { [key: string]: unknown }, random: Random): unknown {
  const all = Object.keys(fields);
  const telling = all.filter((each) => wayToCalls.has(each));
  const keys = telling.length > 0 && random.next() < 0.85 ? telling : all;
  const key = keys[random.below(keys.length)];
  if (key === undefined) return random.of(odd);
  switch (random.below(40)) {
    case 0:
      return Object.fromEntries(Object.entries(fields).filter(([each]) => each !== key));
    case 1:
      fields[random.of(['id', 'name', 'arguments', 'function', 'function_call', 'custom', 'tool_calls'])] =
        fields[key];
      break;
    default:
      fields[key] = changed(fields[key], random);
  }
  return fields;
}

function spliced(text: string, random: Random): string {
  const at = random.below(text.length + 1);
  switch (random.below(6)) {
    case 0:
      return text.slice(0, at);
    case 3:
      return text.replace(/:\s*("[^"]*"|[^,}\]]*)/, () => `:${random.of(literals)}`);
    case 1:
      return text + text;
    case 2:
      return JSON.stringify(text);
    default:
      return text.slice(0, at) + random.of(pieces) + text.slice(at + random.below(3));
  }
}
