import type { Json } from '@writ/contracts';

/** Nesting beyond which a text counts as unreadable: readers and serialisers recurse. */
const deepest = 256;

type JsonObject = { [key: string]: Json };

/**
 * The arguments as an object, or null where the raw text is none: not JSON, another type, too deep, or with half a
 * surrogate pair in it. A blank text stands for no arguments.
 */
export function argumentsObject(raw: string): JsonObject | null {
  if (/^[ \t\r\n]*$/.test(raw)) return {};
  if (outline(raw).depth > deepest) return null;
  const value = parsed(raw);
  return isJsonObject(value) && isWellFormed(value) ? value : null;
}

/**
 * Whether the text says nothing that its object does not: no doubled or dangerous keys, no numbers that changed. Asked
 * of texts that were refused as arguments, where the reason may have been any of these or the tool's schema.
 */
export function saysTheSame(raw: string, value: JsonObject): boolean {
  const seen = contents(value);
  const isPlain = seen.keys.every((key) => !['__proto__', 'constructor', 'prototype'].includes(key));
  const isExact = seen.numbers.every((number) => !Number.isInteger(number) || Number.isSafeInteger(number));
  return isPlain && isExact && seen.keys.length === outline(raw).members;
}

function parsed(raw: string): unknown {
  try {
    return JSON.parse(raw);
  } catch {
    return null;
  }
}

/** Of what `JSON.parse` gives, which is JSON all the way down. */
const isJsonObject = (value: unknown): value is JsonObject =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

function isWellFormed(value: Json): boolean {
  if (typeof value === 'string') return !/\p{Surrogate}/u.test(value);
  if (value === null || typeof value !== 'object') return true;
  if (Array.isArray(value)) return value.every(isWellFormed);
  return Object.entries(value).every(([key, inner]) => isWellFormed(key) && isWellFormed(inner));
}

/** Every key and number of a value. */
function contents(value: Json): { keys: string[]; numbers: number[] } {
  if (typeof value === 'number') return { keys: [], numbers: [value] };
  if (value === null || typeof value !== 'object') return { keys: [], numbers: [] };
  const inner = Object.values(value).map(contents);
  return {
    keys: [...(Array.isArray(value) ? [] : Object.keys(value)), ...inner.flatMap(({ keys }) => keys)],
    numbers: inner.flatMap(({ numbers }) => numbers),
  };
}

/** Brackets and members outside of strings; never recurses, whatever the text. */
function outline(raw: string): { depth: number; members: number } {
  let level = 0;
  let depth = 0;
  let members = 0;
  let inString = false;
  for (let i = 0; i < raw.length; i += 1) {
    const char = raw[i];
    if (char === '"') inString = !inString;
    else if (inString) i += char === '\\' ? 1 : 0;
    else if (char === ':') members += 1;
    else if (char === '{' || char === '[') level += 1;
    else if (char === '}' || char === ']') level -= 1;
    depth = Math.max(depth, level);
  }
  return { depth, members };
}
