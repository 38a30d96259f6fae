/** Bodies of the orchestrator's HTTP interface. */
import { z } from 'zod';
import { digestSchema, effectClassSchema, idSchema, jsonSchema, timeSchema } from '../primitives';
import { durationSchema } from '../config/duration';
import { failureSchema } from './turn-failure';

export const openSessionRequestSchema = z.strictObject({
  toolsets: z.array(z.string()).optional(),
  disabledToolsets: z.array(z.string()).optional(),
  platform: z.string().optional(),
  instructions: z.string().optional(),
  metadata: z.record(z.string(), jsonSchema).optional(),
});
export const openSessionResponseSchema = z.object({ sessionId: idSchema });

/** Budgets of one turn; a turn may only ask for less than the configuration allows. */
export const turnBudgetsRequestSchema = z.strictObject({
  steps: z.number().int().positive().optional(),
  callsPerTurn: z.number().int().positive().optional(),
  callsPerBatch: z.number().int().positive().optional(),
  wallTime: durationSchema.optional(),
  roundTime: durationSchema.optional(),
  delegates: z.number().int().nonnegative().optional(),
});
export const startTurnRequestSchema = z.strictObject({
  input: z.string().min(1),
  budgets: turnBudgetsRequestSchema.optional(),
});
export const startTurnResponseSchema = z.object({ turnId: idSchema });
/** 1 to 255 visible ASCII characters. */
export const idempotencyKeySchema = z.string().regex(/^[\x21-\x7e]{1,255}$/);

export const turnStatusSchema = z.enum([
  'running',
  'waiting_for_person',
  'completed',
  'failed',
  'interrupted',
]);
export const turnSchema = z.object({
  turnId: idSchema,
  sessionId: idSchema,
  status: turnStatusSchema,
  input: z.string(),
  finalText: z.string().optional(),
  failure: failureSchema.optional(),
  openCalls: z.array(idSchema),
  startedAt: timeSchema,
  endedAt: timeSchema.optional(),
});

export const sessionItemSchema = z.object({
  sessionId: idSchema,
  openedAt: timeSchema,
  lastEventAt: timeSchema,
  status: z.enum(['idle', 'running', 'waiting_for_person']),
  openCalls: z.number().int().nonnegative(),
  inDoubtCalls: z.number().int().nonnegative(),
});
export const sessionListSchema = z.object({ items: z.array(sessionItemSchema), next: z.string().optional() });

export const toolTableSchema = z.object({
  digest: digestSchema,
  tools: z.array(
    z.object({
      name: z.string(),
      visible: z.boolean(),
      reason: z.string(),
      effectClass: effectClassSchema,
      definitionDigest: digestSchema,
    }),
  ),
});

export type OpenSessionRequest = z.infer<typeof openSessionRequestSchema>;
export type StartTurnRequest = z.infer<typeof startTurnRequestSchema>;
export type TurnStatus = z.infer<typeof turnStatusSchema>;
export type Turn = z.infer<typeof turnSchema>;
export type SessionItem = z.infer<typeof sessionItemSchema>;
export type ToolTable = z.infer<typeof toolTableSchema>;
