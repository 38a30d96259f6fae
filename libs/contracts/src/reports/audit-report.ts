/** What `npx writ audit verify --json` prints (interfaces.md, Commands). */
import { z } from 'zod';
import { idSchema, positionSchema, revisionSchema, timeSchema } from '../primitives';

export const eventPlaceSchema = z.object({
  stream: z.string(),
  revision: revisionSchema,
  position: positionSchema,
});

/** Protocol 8; a rule that was not checked is absent. */
export const auditRuleSchema = z.enum(['A1', 'A2', 'A3', 'A4', 'A5', 'A6', 'A7', 'A8', 'A9', 'A10']);

export const auditFindingSchema = z.object({
  rule: auditRuleSchema,
  message: z.string(),
  events: z.array(eventPlaceSchema),
});

/** A call that is open, or that was settled otherwise than by a plain success (A9). */
export const listedCallSchema = z.object({
  callId: idSchema,
  sessionId: idSchema,
  standing: z.enum([
    'awaiting_approval',
    'ready',
    'running',
    'in_doubt',
    'held',
    'approved_never_ran',
    'ran_and_failed',
    'effect_unknown',
  ]),
  /** When it came to stand so; its age is counted from here. */
  since: timeSchema,
  event: eventPlaceSchema,
});

export const auditReportSchema = z.object({
  ok: z.boolean(),
  throughPosition: positionSchema,
  counts: z.object({
    sessions: z.number().int().nonnegative(),
    calls: z.number().int().nonnegative(),
    events: z.number().int().nonnegative(),
  }),
  rules: z.partialRecord(
    auditRuleSchema,
    z.object({ checked: z.number().int().nonnegative(), findings: z.number().int().nonnegative() }),
  ),
  findings: z.array(auditFindingSchema),
  /** A9: no verdict, a list. */
  calls: z.array(listedCallSchema),
});

export type AuditReport = z.infer<typeof auditReportSchema>;
export type AuditRule = z.infer<typeof auditRuleSchema>;
export type AuditFinding = z.infer<typeof auditFindingSchema>;
