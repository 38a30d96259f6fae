/** What the executor reads from its tool host, parsed. */
import { contentPartSchema, digestSchema, readbackEffectSchema, type Json } from '@writ/contracts';
import { z } from 'zod';

/** What came out of JSON.parse is JSON; checking a large result member by member would hold up lease renewals. */
const parsedJson = z.custom<Json>((value) => value !== undefined);
const [textPart, , blobPart] = contentPartSchema.options;
const content = z.array(
  z.discriminatedUnion('type', [
    textPart,
    z.object({ type: z.literal('json'), value: parsedJson }),
    blobPart.extend({ sha256: digestSchema }),
  ]),
);

export const ranSchema = z.discriminatedUnion('status', [
  z.object({ status: z.literal('returned'), content }),
  z.object({
    status: z.literal('threw'),
    notApplied: z.boolean(),
    message: z.string(),
    code: z.enum(['unserialisable_result', 'result_too_large']).optional(),
  }),
]);

export const checkSchema = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true) }),
  z.object({ ok: z.literal(false), refuse: z.string() }),
]);

export const readbackSchema = z.object({
  effect: readbackEffectSchema,
  evidence: parsedJson,
  result: content.optional(),
});

export const logSchema = z.object({
  level: z.enum(['debug', 'info', 'warn', 'error']),
  event: z.string(),
  fields: z.record(z.string(), z.union([z.string(), z.number()])),
});

export const parsePayload = <T>(schema: z.ZodType<T>, payload: Buffer): T =>
  schema.parse(JSON.parse(payload.toString('utf8')));
