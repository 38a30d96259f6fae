/** Events of `toolcall-<callId>`: what happened to one call. Many writers, one winner by expected revision. */
import { z } from 'zod';
import {
  contentPartSchema,
  digestSchema,
  effectSchema,
  idSchema,
  instanceIdSchema,
  jsonSchema,
  leaseEndReasonSchema,
  outcomeSchema,
  poolSchema,
  readbackEffectSchema,
  revisionSchema,
  timeSchema,
} from '../primitives';

export const approvalRequestedSchema = z.object({
  callId: idSchema,
  sessionId: idSchema,
  stagedRevision: revisionSchema,
  rule: z.string(),
  reason: z.string().optional(),
  argsDigest: digestSchema,
  previewDigest: digestSchema,
  deadline: timeSchema,
});

const decision = {
  callId: idSchema,
  by: z.string(),
  authentication: z.string(),
  decidedAt: timeSchema,
  argsDigest: digestSchema,
  comment: z.string().optional(),
};
export const approvalGrantedSchema = z.object(decision);
export const approvalDeniedSchema = z.object(decision);
export const approvalExpiredSchema = z.object(decision);

export const toolExecutionStartedSchema = z.object({
  callId: idSchema,
  sessionId: idSchema,
  stagedRevision: revisionSchema,
  instance: instanceIdSchema,
  pool: poolSchema,
  argsDigest: digestSchema,
  definitionDigest: digestSchema,
  /** 1 for the first run, counted up by each rerun. */
  attempt: z.number().int().positive(),
  /** The epoch it runs under: absent for a claim, which is its own epoch; the takeover's revision for a rerun. */
  epoch: revisionSchema.optional(),
  idempotencyKey: z.string(),
  deadline: timeSchema,
});

export const toolExecutionTakenOverSchema = z.object({
  callId: idSchema,
  instance: instanceIdSchema,
  supersededEpoch: revisionSchema,
  leaseEnded: z.object({ stream: z.string(), revision: revisionSchema }),
  /** `gone`: the old holder and its tools are known to have ended; `silent`: only its lease ran out. A released lease counts as gone. */
  holder: leaseEndReasonSchema,
});

export const readbackRecordedSchema = z.object({
  callId: idSchema,
  epoch: revisionSchema,
  effect: readbackEffectSchema,
  evidence: jsonSchema,
  /** What `run` would have returned, where the readback knows. */
  result: z.array(contentPartSchema).optional(),
});

export const doubtHeldSchema = z.object({
  callId: idSchema,
  epoch: revisionSchema,
  deadline: timeSchema,
  evidence: z.array(jsonSchema),
});

export const doubtResolvedSchema = z.object({
  callId: idSchema,
  by: z.string(),
  authentication: z.string(),
  effect: readbackEffectSchema,
  evidence: jsonSchema,
  rerun: z.boolean(),
});

export const lateResultRecordedSchema = z.object({
  callId: idSchema,
  epoch: revisionSchema.optional(),
  outcome: outcomeSchema,
  effect: effectSchema,
  content: z.array(contentPartSchema),
  digest: digestSchema,
});

export const lateDecisionRecordedSchema = z.object({
  callId: idSchema,
  by: z.string(),
  decidedAt: timeSchema,
  answer: z.string(),
  comment: z.string().optional(),
});
