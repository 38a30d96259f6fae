import type { Json } from '@writ/contracts';

/** Nesting beyond which a text counts as unreadable: readers and serialisers recurse. */
const deepest = 256;

type JsonObject = { [key: string]: Json };

/**
 * The arguments as an object, or null where the raw text is none: not JSON, another type, too deep, or with half a
 * surrogate pair in it. Such a call was refused at staging; its raw text stays on record.
 */
export function argumentsObject(raw: string): JsonObject | null {
  if (nestsTooDeep(raw)) return null;
  const value = parsed(raw);
  return isJsonObject(value) && isWellFormed(value) ? value : null;
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

/** Counts brackets outside of strings; never recurses, whatever the text. */
function nestsTooDeep(raw: string): boolean {
  let depth = 0;
  let inString = false;
  for (let i = 0; i < raw.length; i += 1) {
    const char = raw[i];
    if (char === '"') inString = !inString;
    else if (inString) i += char === '\\' ? 1 : 0;
    else if (char === '{' || char === '[') depth += 1;
    else if (char === '}' || char === ']') depth -= 1;
    if (depth > deepest) return true;
  }
  return false;
}
