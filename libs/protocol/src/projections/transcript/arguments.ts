import type { EventData, Json } from '@writ/contracts';
import { numberFault } from '../../tool-round/number-fault';

/** Nesting beyond which a text counts as unreadable: readers and serialisers recurse. */
const deepest = 256;

type JsonObject = { [key: string]: Json };

/**
 * What was staged as arguments, or null where the text of a refused call is none or says more than its object would:
 * then nothing but the text itself may be shown.
 */
export function stagedArguments({
  rawArguments,
  verdict,
}: Pick<EventData<'ToolCallStaged'>, 'rawArguments' | 'verdict'>): JsonObject | null {
  const args = argumentsObject(rawArguments);
  return args && verdict === 'refused' && !saysTheSame(rawArguments, args) ? null : args;
}

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
  const keys = keysOf(value);
  const { members, numbers } = outline(raw);
  const isPlain = keys.every((key) => !['__proto__', 'constructor', 'prototype'].includes(key));
  const isExact = numbers.every((literal) => numberFault(literal) === undefined);
  return isPlain && isExact && keys.length === members;
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

function keysOf(value: Json): string[] {
  if (value === null || typeof value !== 'object') return [];
  const own = Array.isArray(value) ? [] : Object.keys(value);
  return [...own, ...Object.values(value).flatMap(keysOf)];
}

/** Brackets, members and numbers outside of strings; never recurses, whatever the text. */
function outline(raw: string): { depth: number; members: number; numbers: readonly string[] } {
  let level = 0;
  let depth = 0;
  let members = 0;
  const numbers: string[] = [];
  let inString = false;
  for (let i = 0; i < raw.length; i += 1) {
    const char = raw[i] ?? '';
    if (char === '"') inString = !inString;
    else if (inString) i += char === '\\' ? 1 : 0;
    else if (char === ':') members += 1;
    else if (char === '{' || char === '[') level += 1;
    else if (char === '}' || char === ']') level -= 1;
    else if (/[-0-9]/.test(char)) {
      const end = endOfNumber(raw, i);
      numbers.push(raw.slice(i, end));
      i = end - 1;
    }
    depth = Math.max(depth, level);
  }
  return { depth, members, numbers };
}

function endOfNumber(raw: string, from: number): number {
  let end = from;
  while (end < raw.length && /[-+.eE0-9]/.test(raw[end] ?? '')) end += 1;
  return end;
}
