/** Events of `session-<sessionId>`: the conversation, written by the orchestrator that holds the session. */
import { z } from 'zod';
import {
  budgetsSchema,
  digestSchema,
  effectClassSchema,
  idSchema,
  instanceIdSchema,
  jsonSchema,
  onDoubtSchema,
  poolSchema,
  revisionSchema,
  toolNameSchema,
  verdictSchema,
} from '../primitives';
import { failureCauseSchema, failureCodeSchema } from '../http/turn-failure';

/** Toolsets and platforms as far as they bear on one session: with the manifests, enough to make its tool table again. */
export const toolsetsOnRecordSchema = z.object({
  toolsets: z.record(z.string(), z.object({ tools: z.array(toolNameSchema), includes: z.array(z.string()) })),
  platforms: z.record(z.string(), z.object({ toolsets: z.array(z.string()) })),
});
export type ToolsetsOnRecord = z.infer<typeof toolsetsOnRecordSchema>;

export const sessionOpenedSchema = z.object({
  sessionId: idSchema,
  tenant: z.string(),
  platform: z.string(),
  toolsets: z.array(z.string()),
  disabledToolsets: z.array(z.string()),
  /** Absent in records of versions that did not keep it. */
  toolsetConfig: toolsetsOnRecordSchema.optional(),
  instructions: z.string().optional(),
  metadata: z.record(z.string(), jsonSchema).optional(),
  policyDigest: digestSchema,
  openedBy: z.string(),
});

export const sessionLeaseAcquiredSchema = z.object({
  sessionId: idSchema,
  instance: instanceIdSchema,
  why: z.enum(['turn_started', 'takeover']),
  /** For a takeover from a holder that did not release: whose epoch it supersedes and the event that ended its lease. */
  supersedes: z
    .object({
      epoch: revisionSchema,
      leaseEnded: z.object({ stream: z.string(), revision: revisionSchema }).optional(),
    })
    .optional(),
});

export const sessionLeaseReleasedSchema = z.object({
  sessionId: idSchema,
  instance: instanceIdSchema,
  why: z.enum(['turn_ended', 'calls_settled', 'shutdown']),
});

export const turnStartedSchema = z.object({
  turnId: idSchema,
  input: z.string(),
  idempotencyKey: z.string().optional(),
  /** SHA-256 over RFC 8785 of the request's body, to tell a repeat from a reuse of the key. */
  requestDigest: digestSchema,
  budgets: budgetsSchema,
});

export const assistantMessageRecordedSchema = z.object({
  turnId: idSchema,
  step: z.number().int().positive(),
  text: z.string(),
  model: z.string(),
  finishReason: z.string(),
  usage: z
    .object({
      promptTokens: z.number().int().nonnegative(),
      completionTokens: z.number().int().nonnegative(),
    })
    .optional(),
  toolTableDigest: digestSchema,
  /** Only where the orchestrator has another than the session's record last said. */
  toolsetConfig: toolsetsOnRecordSchema.optional(),
  /** For every call of the step before: which result the model was given. */
  results: z.array(
    z.object({ callId: idSchema, stream: z.string(), revision: revisionSchema, digest: digestSchema }),
  ),
});

export const wrapperSchema = z.object({
  nameSent: z.string(),
  place: z.number().int().nonnegative(),
  of: z.number().int().positive(),
});

export const toolCallStagedSchema = z.object({
  callId: idSchema,
  sessionId: idSchema,
  turnId: idSchema,
  step: z.number().int().positive(),
  /** Place in the model's batch, from 0 on. */
  index: z.number().int().nonnegative(),
  /** As the provider sent it, to the byte; empty where it sent none. */
  providerCallId: z.string(),
  nameSent: z.string(),
  /** The wrapper that held the call, as the model named it: this call's place in it, from 0 on, and how many it held. */
  wrapper: wrapperSchema.optional(),
  /** Null where the name is no visible tool. */
  tool: toolNameSchema.nullable(),
  rawArguments: z.string(),
  /** Digest of {tool, definition digest, arguments}; of the raw bytes where the arguments did not parse or no tool is known. */
  argsDigest: digestSchema,
  definitionDigest: digestSchema.optional(),
  pool: poolSchema.optional(),
  effectClass: effectClassSchema.optional(),
  /** Segment of the round, from 0 on; absent for refused calls. */
  segment: z.number().int().nonnegative().optional(),
  /** Milliseconds that one run may take. */
  timeoutMs: z.number().int().positive().optional(),
  verdict: verdictSchema,
  /** The rule that decided: `policy[2]`, `visibility`, `arguments`, `policy:none`, … */
  rule: z.string(),
  reason: z.string().optional(),
  /** Milliseconds a person has, where the verdict is `ask`. */
  approvalDeadlineMs: z.number().int().positive().optional(),
  onDoubt: onDoubtSchema,
  idempotencyKey: z.string(),
});

export const callsAbandonedSchema = z.object({
  turnId: idSchema,
  callIds: z.array(idSchema).min(1),
  why: z.enum([
    'unclaimed',
    'wall_time',
    'round_deadline',
    'turn_failed',
    'interrupted',
    'holder_lost',
    'hold_expired',
  ]),
});

export const contextCompactedSchema = z.object({ throughRevision: revisionSchema, summary: z.string() });

export const turnCompletedSchema = z.object({ turnId: idSchema, finalText: z.string() });
export const turnFailedSchema = z.object({
  turnId: idSchema,
  code: failureCodeSchema,
  cause: failureCauseSchema.optional(),
  message: z.string(),
});
export const turnInterruptedSchema = z.object({ turnId: idSchema, reason: z.string() });
