/** Bodies of the approval-service's HTTP interface. */
import { z } from 'zod';
import {
  digestSchema,
  effectClassSchema,
  idSchema,
  jsonSchema,
  revisionSchema,
  timeSchema,
} from '../primitives';

export const approvalSchema = z.object({
  callId: idSchema,
  sessionId: idSchema,
  turnId: idSchema,
  tool: z.string(),
  args: z.record(z.string(), jsonSchema),
  argsDigest: digestSchema,
  preview: z.string(),
  rule: z.string(),
  reason: z.string().optional(),
  /** When a person was first asked; the time of staging while no request is recorded yet. */
  requestedAt: timeSchema,
  /** Absent while no request is recorded yet. */
  deadline: timeSchema.optional(),
  status: z.enum(['pending', 'granted', 'denied', 'expired']),
});
export const approvalListSchema = z.object({ items: z.array(approvalSchema), next: z.string().optional() });

export const inDoubtItemSchema = z.object({
  callId: idSchema,
  sessionId: idSchema,
  tool: z.string(),
  args: z.record(z.string(), jsonSchema),
  argsDigest: digestSchema,
  effectClass: effectClassSchema,
  epoch: revisionSchema,
  since: timeSchema,
  evidence: z.array(jsonSchema),
});
export const inDoubtListSchema = z.object({ items: z.array(inDoubtItemSchema), next: z.string().optional() });

export type Approval = z.infer<typeof approvalSchema>;
export type InDoubtItem = z.infer<typeof inDoubtItemSchema>;
