import { z } from 'zod';
import { digestSchema, idSchema, timeSchema } from '../primitives';

/** `POST /v1/approvals/{callId}/decision`: the digest says that the person saw the call that will run. */
export const decisionRequestSchema = z.strictObject({
  decision: z.enum(['grant', 'deny']),
  argsDigest: digestSchema,
  comment: z.string().max(4_000).optional(),
});
export const decisionResponseSchema = z.object({
  callId: idSchema,
  status: z.enum(['granted', 'denied']),
  by: z.string(),
  at: timeSchema,
});
export type DecisionRequest = z.infer<typeof decisionRequestSchema>;
export type DecisionResponse = z.infer<typeof decisionResponseSchema>;
