import { isFields } from '../wire/fields';
import type { z } from 'zod';

/** A tool's input as JSON Schema 2020-12, or why it cannot be one. */
export type InputSchema =
  { readonly ok: true; readonly schema: unknown } | { readonly ok: false; readonly why: string };

/**
 * Turns what an author gave as `input` into JSON Schema. A zod schema is known by its shape, as the module may bring
 * its own copy of zod. What a JSON Schema cannot say would be lost on the way, so it is an error here.
 */
export async function inputSchemaFrom(input: unknown): Promise<InputSchema> {
  if (!isFields(input)) return { ok: false, why: 'must be a JSON Schema object or a zod schema' };
  if (isZodSchema(input)) {
    const lost = findLost(input, '', new Set());
    if (lost !== undefined) return { ok: false, why: `${lost}; put it into check or run instead` };
    try {
      const { toJSONSchema } = await import('zod');
      return { ok: true, schema: toJSONSchema(input, { target: 'draft-2020-12' }) };
    } catch (error) {
      return { ok: false, why: error instanceof Error ? error.message : 'cannot become a JSON Schema' };
    }
  }
  if ('_def' in input || typeof input['safeParse'] === 'function') {
    return {
      ok: false,
      why: 'is a schema of another library or of zod 3; allowed are zod 4 and JSON Schema',
    };
  }
  return { ok: true, schema: input };
}

const isZodSchema = (value: unknown): value is z.core.$ZodType =>
  isFields(value) && isFields(value['_zod']) && isFields(value['_zod']['def']);

/** Schemas that change or judge a value by code, which JSON Schema does not carry. */
const lostTypes: { readonly [type: string]: string } = {
  transform: 'a transform changes the arguments, and Writ never does',
  pipe: 'a pipe, preprocess or codec changes the arguments, and Writ never does',
  default: 'a default changes the arguments, and Writ never does',
  prefault: 'a prefault changes the arguments, and Writ never does',
  catch: 'a catch changes the arguments, and Writ never does',
  custom: 'a refinement is code that JSON Schema cannot carry',
};
const lostChecks: { readonly [check: string]: string } = {
  custom: 'a refinement is code that JSON Schema cannot carry',
  overwrite: 'a transform (trim, toLowerCase, …) changes the arguments, and Writ never does',
};

function findLost(value: unknown, path: string, seen: Set<unknown>): string | undefined {
  if (typeof value !== 'object' || value === null || seen.has(value)) return undefined;
  seen.add(value);
  const at = path === '' ? '' : `at ${path}: `;
  if (!isZodSchema(value)) return findLostIn(value, path, seen);
  const def: unknown = value._zod.def;
  if (!isFields(def)) return undefined;
  const type = typeof def['type'] === 'string' ? lostTypes[def['type']] : undefined;
  if (type !== undefined) return `${at}${type}`;
  if (def['coerce'] === true) return `${at}coerce changes the arguments, and Writ never does`;
  const checks: readonly unknown[] = Array.isArray(def['checks']) ? def['checks'] : [];
  for (const check of [value, ...checks]) {
    const lost = lostCheck(check);
    if (lost !== undefined) return `${at}${lost}`;
  }
  const { checks: _checked, getter, ...inner } = def;
  return (
    findLostIn(inner, path, seen) ??
    (typeof getter === 'function' ? findLost(Reflect.apply(getter, undefined, []), path, seen) : undefined)
  );
}

function findLostIn(value: object, path: string, seen: Set<unknown>): string | undefined {
  for (const [key, item] of Object.entries(value)) {
    // The parts of a schema (shape, element, options, …) are no part of an argument's path; their members are.
    const inner = /^(shape|element|options|items|innerType|keyType|valueType|left|right|rest|catchall)$/.test(
      key,
    )
      ? path
      : `${path}/${key}`;
    const lost = findLost(item, inner, seen);
    if (lost !== undefined) return lost;
  }
  return undefined;
}

function lostCheck(check: unknown): string | undefined {
  if (!isFields(check) || !isFields(check['_zod']) || !isFields(check['_zod']['def'])) return undefined;
  const def = check['_zod']['def'];
  if (def['pattern'] instanceof RegExp && /[imsy]/.test(def['pattern'].flags) && def['format'] === 'regex') {
    return `the flags of ${String(def['pattern'])} get lost, as JSON Schema patterns have none`;
  }
  return typeof def['check'] === 'string' ? lostChecks[def['check']] : undefined;
}
