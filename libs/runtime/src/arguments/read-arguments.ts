import type { Json } from '@writ/contracts';
import { numberFault, type ArgumentsCode } from '@writ/protocol';
import { printParseErrorCode, visit, type JSONPath } from 'jsonc-parser';
import { argumentLimits } from '../limits';
import { keptText } from './kept-text';

export interface ArgumentLimits {
  readonly rawBytes: number;
  readonly quotedBytes: number;
  readonly depth: number;
}

export type ReadArguments =
  | { readonly ok: true; readonly args: { readonly [key: string]: Json }; readonly blank: boolean }
  /** `message` names the place and never a value. */
  | { readonly ok: false; readonly code: ArgumentsCode; readonly message: string };

/**
 * Reads a model's arguments. An empty or blank text reads as `{}` and says so: it counts only where the schema accepts
 * `{}` (F10). Otherwise `args` is what `JSON.parse` gives, and the text is refused where that would hide something.
 */
export function readArguments(raw: string, limits: ArgumentLimits = argumentLimits): ReadArguments {
  const large = tooLarge(raw, limits);
  if (large) return large;
  if (/^[ \t\r\n]*$/.test(raw)) return { ok: true, args: {}, blank: true };
  const found = inspect(raw, limits);
  if (found) return found;
  const value = parse(raw);
  if (value === undefined) return fault('not_json', 'it is no JSON text');
  if (typeof value === 'string')
    return fault('not_object', 'it is a JSON text and no object; send the object itself');
  if (!isObject(value)) return fault('not_object', 'it must be a JSON object');
  return { ok: true, args: value, blank: false };
}

type Fault = Extract<ReadArguments, { ok: false }>;
type Members = { [key: string]: Json };

const fault = (code: ArgumentsCode, message: string): Fault => ({ ok: false, code, message });

function tooLarge(raw: string, limits: ArgumentLimits): Fault | undefined {
  const bytes = Buffer.byteLength(raw);
  if (bytes > limits.rawBytes)
    return fault('too_large', `${bytes} bytes, at most ${limits.rawBytes} are allowed`);
  const quoted = Buffer.byteLength(JSON.stringify(raw));
  return quoted > limits.quotedBytes
    ? fault('too_large', `${quoted} bytes once quoted, at most ${limits.quotedBytes} are allowed`)
    : undefined;
}

/** `JSON.parse` has the last word about what is JSON; undefined where it refuses. */
function parse(raw: string): unknown {
  try {
    return JSON.parse(raw);
  } catch {
    return undefined;
  }
}

/** Of what `JSON.parse` gave: the members of an object of its can be nothing but JSON. */
const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const dangerousKeys: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/** Carries the first finding out of the visitor, which knows no other way to stop; never leaves this file. */
class Found extends Error {
  constructor(readonly fault: Fault) {
    super(fault.code);
  }
}

/**
 * Walks the text token by token for what `JSON.parse` lets through. It stops at the first finding, so the walk is never
 * deeper than `limits.depth`, whatever the text.
 */
function inspect(raw: string, limits: ArgumentLimits): Fault | undefined {
  try {
    visit(raw, inspector(raw, limits), { disallowComments: true, allowTrailingComma: false });
    return undefined;
  } catch (error) {
    if (error instanceof Found) return error.fault;
    throw error;
  }
}

function inspector(raw: string, limits: ArgumentLimits): Parameters<typeof visit>[1] {
  /** One entry per open object or list: the keys seen so far. */
  const open: Set<string>[] = [];
  const stop = (code: ArgumentsCode, message: string): never => {
    throw new Found(fault(code, message));
  };
  const begin = (offset: number): void => {
    open.push(new Set());
    if (open.length > limits.depth)
      stop('too_deep', `deeper than ${limits.depth} levels at offset ${offset}`);
  };
  const end = (): void => void open.pop();

  return {
    onObjectBegin: begin,
    onArrayBegin: begin,
    onObjectEnd: end,
    onArrayEnd: end,
    onObjectProperty: (...[key, offset, , , , path]) => {
      const where = () => `key ${placeOf([...path(), key])} at offset ${offset}`;
      const found = textFault(key);
      if (found) stop(found, where());
      if (dangerousKeys.has(key)) stop('dangerous_key', where());
      const keys = open[open.length - 1];
      if (keys?.has(key)) stop('doubled_key', where());
      keys?.add(key);
    },
    onLiteralValue: (...[value, offset, length, , , path]) => {
      const found =
        typeof value === 'string'
          ? textFault(value)
          : typeof value === 'number'
            ? numberFault(raw.slice(offset, offset + length))
            : undefined;
      if (found) stop(found, `at ${placeOf(path())}, offset ${offset}`);
    },
    onError: (code, offset, length) => {
      const name = printParseErrorCode(code);
      // The parser says that an object has ended before it says that its brace is missing.
      const isInside = open.length > 0 || /^Close.*Expected$/.test(name);
      if (isInside && endsEarly(raw, { from: offset, to: offset + length }))
        stop('ends_early', `it ends at offset ${raw.length} before its object does; send the whole of it`);
      stop('not_json', `${name} at offset ${offset}`);
    },
  };
}

/**
 * Inside an object or list: whether what is wrong is that the text is over. Then it was probably cut, whatever the
 * finish reason says (F09). A bracket at its end closes something, unless it stands in a text that never ends.
 */
function endsEarly(raw: string, wrong: { readonly from: number; readonly to: number }): boolean {
  const end = raw.trimEnd().length;
  if (wrong.from >= end) return true;
  return wrong.to >= end && (raw[wrong.from] === '"' || !/[}\]]$/.test(raw[end - 1] ?? ''));
}

/** `\p{Surrogate}` matches only halves without their partner when the pattern reads code points. */
function textFault(text: string): ArgumentsCode | undefined {
  if (/\p{Surrogate}/u.test(text)) return 'lone_surrogate';
  return text.includes('\0') ? 'null_character' : undefined;
}

/** A JSON Pointer made fit for a message: bounded, and without control characters or half characters. */
function placeOf(path: JSONPath): string {
  const pointer = path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
  return keptText(pointer.replace(/\p{Cc}/gu, '?'), argumentLimits.placeCharacters) || '/';
}
