import { createHash } from 'node:crypto';
import type { ContentPart, Json } from '@writ/contracts';
import { isFields } from '../wire/fields';
import { wellFormed } from '../wire/text';
import { limits } from '../limits';

/** What `run` returned as content, or why it cannot be one; the effect has happened all the same. */
export type Content =
  | { readonly ok: true; readonly content: readonly ContentPart[] }
  | { readonly ok: false; readonly code: 'unserialisable_result'; readonly why: string };

/**
 * A string is text, bytes are a blob, a JSON value is JSON, `undefined` is the empty text. Texts are made well-formed
 * here, once, before anything is committed. As in JSON, members that are `undefined` are left out and `toJSON` is asked; everything
 * else that JSON would lose (functions, symbols, bigints, NaN, cycles, maps, bytes within) is an error.
 */
export function contentFrom(value: unknown): Content {
  if (value === undefined) return { ok: true, content: [{ type: 'text', text: '' }] };
  if (typeof value === 'string') return { ok: true, content: [{ type: 'text', text: wellFormed(value) }] };
  if (value instanceof Uint8Array)
    return { ok: true, content: [blobPart(value, 'application/octet-stream')] };
  if (isFields(value) && value['bytes'] instanceof Uint8Array) {
    const mediaType = value['mediaType'];
    if (typeof mediaType !== 'string' || !/^[\w.+-]+\/[\w.+-]+(;.*)?$/.test(mediaType)) {
      return { ok: false, code: 'unserialisable_result', why: 'bytes need a mediaType such as image/png' };
    }
    return { ok: true, content: [blobPart(value['bytes'], mediaType)] };
  }
  const json = jsonFrom(value);
  if (!json.ok) return { ok: false, code: 'unserialisable_result', why: json.why };
  return { ok: true, content: [{ type: 'json', value: json.value }] };
}

function blobPart(bytes: Uint8Array, mediaType: string): ContentPart {
  const sha256 = `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
  const preview = previewOf(bytes, mediaType);
  return {
    type: 'blob',
    mediaType,
    size: bytes.length,
    sha256,
    ...(preview === undefined ? {} : { preview }),
  };
}

function previewOf(bytes: Uint8Array, mediaType: string): string | undefined {
  if (!/^text\/|[/+]json\b|[/+]xml\b/.test(mediaType)) return undefined;
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    // `stream` leaves out a character that the cut has split.
    return decoder.decode(bytes.subarray(0, limits.blobPreviewBytes), { stream: true });
  } catch {
    return undefined;
  }
}

export type JsonValue =
  { readonly ok: true; readonly value: Json } | { readonly ok: false; readonly why: string };

class NotJson extends Error {}

export function jsonFrom(value: unknown): JsonValue {
  try {
    return { ok: true, value: convert(value, '', []) };
  } catch (error) {
    if (error instanceof NotJson) return { ok: false, why: error.message };
    return { ok: false, why: 'reading it threw an error' };
  }
}

/** `around` are the objects that the value stands in. */
function convert(value: unknown, path: string, around: object[]): Json {
  if (value === null || typeof value === 'boolean') return value;
  if (typeof value === 'string') return wellFormed(value);
  if (typeof value === 'number') {
    if (Number.isFinite(value)) return value;
    throw notJson(String(value), path);
  }
  if (typeof value !== 'object') throw notJson(`a value of type ${typeof value}`, path);
  if (around.includes(value)) throw notJson('a cycle', path);
  if (around.length >= limits.jsonDepth) throw notJson(`nesting deeper than ${limits.jsonDepth}`, path);
  around.push(value);
  const json = convertObject(value, path, around);
  around.pop();
  return json;
}

function convertObject(value: object, path: string, around: object[]): Json {
  if (Array.isArray(value)) {
    return Array.from(value, (item: unknown, index) => convert(item, `${path}/${index}`, around));
  }
  if ('toJSON' in value && typeof value.toJSON === 'function')
    return convert(Reflect.apply(value.toJSON, value, []), path, around);
  if (isLostInJson(value)) throw notJson(`a ${value.constructor.name}`, path);
  const members = Object.entries(value).filter(([, item]) => item !== undefined);
  // From entries, so that a member named __proto__ is a member like any other.
  return Object.fromEntries(
    members.map(([key, item]) => [wellFormed(key), convert(item, `${path}/${key}`, around)]),
  );
}

const isLostInJson = (value: object): boolean =>
  value instanceof Map ||
  value instanceof Set ||
  value instanceof Promise ||
  value instanceof RegExp ||
  value instanceof ArrayBuffer ||
  ArrayBuffer.isView(value);

const notJson = (what: string, path: string): NotJson =>
  new NotJson(`${what} at ${path === '' ? 'the top' : path} is not JSON`);
