import { z } from 'zod';

/** Why a turn failed (interfaces.md, turn). */
export const failureCodeSchema = z.enum([
  'session_persistence_failed',
  'budget_exhausted',
  'guardrail_halt',
  'model_failed',
]);
export const failureCauseSchema = z.enum([
  'store_unavailable',
  'store_timeout',
  'store_conflict',
  'append_too_large',
  'result_not_committed',
]);
export const failureSchema = z.object({
  code: failureCodeSchema,
  cause: failureCauseSchema.optional(),
  message: z.string(),
});
export type FailureCode = z.infer<typeof failureCodeSchema>;
export type FailureCause = z.infer<typeof failureCauseSchema>;
export type Failure = z.infer<typeof failureSchema>;
