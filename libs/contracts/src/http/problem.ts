import { z } from 'zod';

/** Every error code of the HTTP interfaces with its one status (interfaces.md). */
export const problemStatuses = {
  invalid_request: 400,
  not_found: 404,
  turn_in_progress: 409,
  earlier_calls_open: 409,
  idempotency_key_reused: 409,
  already_decided: 409,
  already_settled: 409,
  approval_expired: 410,
  args_digest_mismatch: 422,
  internal_error: 500,
  store_unavailable: 503,
  broker_unavailable: 503,
  session_persistence_failed: 503,
} as const;
export type ProblemCode = keyof typeof problemStatuses;

/** RFC 9457 `application/problem+json`; further members depend on the code (`calls`, `decision`, `by`). */
export const problemSchema = z.looseObject({
  type: z.string(),
  title: z.string(),
  status: z.number().int(),
  code: z.string(),
  detail: z.string(),
  field: z.string().optional(),
});
export type Problem = z.infer<typeof problemSchema>;
