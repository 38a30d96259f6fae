/** The small words that every other contract is made of: ids, numbers, digests, content. */
import { z } from 'zod';

/** Ids of ours (session, turn, call): random, ASCII, at most 40 characters, so that they are legal ids for every provider. */
export const idSchema = z.string().regex(/^[a-zA-Z0-9_-]{1,40}$/);
/** Name of a service process, stable over its restarts; no dots, since stream names join with dots. */
export const instanceNameSchema = z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/);
export const serviceSchema = z.enum(['turn-orchestrator', 'tool-executor', 'approval-service']);
/** `<service>.<name>#<incarnation>`; the incarnation is the revision of its `InstanceStarted`. */
export const instanceIdSchema = z
  .string()
  .regex(/^(turn-orchestrator|tool-executor|approval-service)\.[a-zA-Z0-9_-]{1,64}#[0-9]+$/);
export const poolSchema = z.string().regex(/^[a-z0-9_-]{1,32}$/);
/** Name of a tool (interfaces.md, "A tool"). */
export const toolNameSchema = z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/);
/** Revision of an event in its stream, from 0 on; an epoch is a revision as well. */
export const revisionSchema = z.number().int().nonnegative();
/** Log position: a decimal string, since it may exceed what a JSON number holds. */
export const positionSchema = z.string().regex(/^[0-9]{1,20}$/);
/** `sha256:` and 64 hex digits. */
export const digestSchema = z.string().regex(/^sha256:[0-9a-f]{64}$/);
/** RFC 3339 in UTC with milliseconds. */
export const timeSchema = z.string().regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/);
/** W3C trace context. */
export const traceparentSchema = z.string().regex(/^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/);

export const effectClassSchema = z.enum(['read', 'idempotent', 'reconcilable', 'irreversible']);
export const outcomeSchema = z.enum([
  'succeeded',
  'failed',
  'refused',
  'denied',
  'expired',
  'timed_out',
  'interrupted',
  'skipped',
  'unknown',
]);
/** What happened to the outside world (a result's effect, not a tool's effect class). */
export const effectSchema = z.enum(['none', 'applied', 'unknown']);
export const readbackEffectSchema = z.enum(['applied', 'not_applied', 'unknown']);
export const verdictSchema = z.enum(['refused', 'ask', 'allowed']);
/** How surely a holder is known to have ended (protocol 1: gone and silent). */
export const leaseEndReasonSchema = z.enum(['released', 'gone', 'silent']);
export const onDoubtSchema = z.enum(['tell_model', 'hold_for_person']);

export const jsonSchema: z.ZodType<Json> = z.json();
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/** One part of a result's content (interfaces.md, Shapes). */
export const contentPartSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('json'), value: jsonSchema }),
  z.object({
    type: z.literal('blob'),
    mediaType: z.string(),
    size: z.number().int().nonnegative(),
    sha256: digestSchema,
    preview: z.string().optional(),
  }),
]);

/** Where a tool may meet itself: JSON Pointers into its arguments (interfaces.md, "A tool"). */
const pointerSchema = z.string().regex(/^(\/[^/]*)+$/);
const resourceSchema = z.union([pointerSchema, z.strictObject({ path: pointerSchema })]);
export const concurrencySchema = z.union([
  z.enum(['parallel', 'exclusive']),
  z.strictObject({ reads: z.array(resourceSchema).optional(), writes: z.array(resourceSchema).optional() }),
]);

/** What a session's turns may use up. Times in milliseconds. */
export const budgetsSchema = z.object({
  steps: z.number().int().positive(),
  callsPerTurn: z.number().int().positive(),
  callsPerBatch: z.number().int().positive(),
  wallTimeMs: z.number().int().positive(),
  roundTimeMs: z.number().int().positive(),
  delegates: z.number().int().nonnegative(),
});

export type Service = z.infer<typeof serviceSchema>;
export type EffectClass = z.infer<typeof effectClassSchema>;
export type Outcome = z.infer<typeof outcomeSchema>;
export type Effect = z.infer<typeof effectSchema>;
export type ReadbackEffect = z.infer<typeof readbackEffectSchema>;
export type Verdict = z.infer<typeof verdictSchema>;
export type LeaseEndReason = z.infer<typeof leaseEndReasonSchema>;
export type OnDoubt = z.infer<typeof onDoubtSchema>;
export type ContentPart = z.infer<typeof contentPartSchema>;
export type Concurrency = z.infer<typeof concurrencySchema>;
export type Budgets = z.infer<typeof budgetsSchema>;
