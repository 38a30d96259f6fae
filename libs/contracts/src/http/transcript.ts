/** The transcript in its three formats (interfaces.md, `GET …/transcript`). */
import { z } from 'zod';
import {
  contentPartSchema,
  digestSchema,
  effectClassSchema,
  effectSchema,
  idSchema,
  jsonSchema,
  outcomeSchema,
  positionSchema,
  revisionSchema,
  timeSchema,
  verdictSchema,
} from '../primitives';
import { readbackSchema } from '../events/result';
import { wrapperSchema } from '../events/session';
import { turnStatusSchema } from './orchestrator';
import { failureSchema } from './turn-failure';

export const transcriptFormatSchema = z.enum(['canonical', 'openai', 'anthropic']);

export const lateSchema = z.object({
  kind: z.enum(['result', 'decision']),
  at: timeSchema,
  position: positionSchema,
  by: z.string(),
  content: z.array(contentPartSchema).optional(),
});

export const canonicalCallSchema = z.object({
  callId: idSchema,
  providerCallId: z.string(),
  nameSent: z.string(),
  /** Where the call came in a batch that another call held. */
  wrapper: wrapperSchema.optional(),
  tool: z.string().nullable(),
  rawArguments: z.string(),
  args: z.record(z.string(), jsonSchema).nullable(),
  argsDigest: digestSchema,
  effectClass: effectClassSchema.optional(),
  segment: z.number().int().nonnegative().optional(),
  authorization: z.object({
    verdict: verdictSchema,
    rule: z.string(),
    decision: z
      .object({ answer: z.string(), by: z.string(), at: timeSchema, comment: z.string().optional() })
      .optional(),
  }),
  /** Revisions of the claim and of each takeover, in order. */
  epochs: z.array(revisionSchema),
  outcome: outcomeSchema.nullable(),
  effect: effectSchema.nullable(),
  code: z.string().optional(),
  readback: readbackSchema.optional(),
  content: z.array(contentPartSchema),
  stagedAt: timeSchema,
  startedAt: timeSchema.optional(),
  committedAt: timeSchema.optional(),
  positions: z.object({
    staged: positionSchema,
    started: positionSchema.optional(),
    committed: positionSchema.optional(),
  }),
  late: z.array(lateSchema),
});

export const canonicalStepSchema = z.object({
  step: z.number().int().positive(),
  text: z.string(),
  calls: z.array(canonicalCallSchema),
});
export const canonicalTurnSchema = z.object({
  turnId: idSchema,
  status: turnStatusSchema,
  input: z.string(),
  finalText: z.string().optional(),
  failure: failureSchema.optional(),
  steps: z.array(canonicalStepSchema),
});
export const canonicalTranscriptSchema = z.object({
  sessionId: idSchema,
  /** Log position of the last event that it holds. */
  position: positionSchema,
  turns: z.array(canonicalTurnSchema),
});

const openaiToolCallSchema = z.object({
  id: z.string(),
  type: z.literal('function'),
  function: z.object({ name: z.string(), arguments: z.string() }),
});
export const openaiMessageSchema = z.discriminatedUnion('role', [
  z.object({ role: z.literal('system'), content: z.string() }),
  z.object({ role: z.literal('user'), content: z.string() }),
  z.object({
    role: z.literal('assistant'),
    content: z.string().nullable(),
    tool_calls: z.array(openaiToolCallSchema).optional(),
  }),
  z.object({ role: z.literal('tool'), tool_call_id: z.string(), content: z.string() }),
]);
export const openaiTranscriptSchema = z.object({
  messages: z.array(openaiMessageSchema),
  /** Calls that are still open; their round is left out of the messages. */
  open: z.array(idSchema).optional(),
});

const anthropicBlockSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({
    type: z.literal('tool_use'),
    id: z.string(),
    name: z.string(),
    input: z.record(z.string(), jsonSchema),
  }),
  z.object({
    type: z.literal('tool_result'),
    tool_use_id: z.string(),
    content: z.string(),
    is_error: z.boolean().optional(),
  }),
]);
export const anthropicMessageSchema = z.object({
  role: z.enum(['user', 'assistant']),
  content: z.array(anthropicBlockSchema),
});
export const anthropicTranscriptSchema = z.object({
  system: z.string().optional(),
  messages: z.array(anthropicMessageSchema),
  open: z.array(idSchema).optional(),
});

export type TranscriptFormat = z.infer<typeof transcriptFormatSchema>;
export type CanonicalCall = z.infer<typeof canonicalCallSchema>;
export type CanonicalStep = z.infer<typeof canonicalStepSchema>;
export type CanonicalTurn = z.infer<typeof canonicalTurnSchema>;
export type CanonicalTranscript = z.infer<typeof canonicalTranscriptSchema>;
export type OpenaiMessage = z.infer<typeof openaiMessageSchema>;
export type OpenaiTranscript = z.infer<typeof openaiTranscriptSchema>;
export type AnthropicMessage = z.infer<typeof anthropicMessageSchema>;
export type AnthropicTranscript = z.infer<typeof anthropicTranscriptSchema>;
