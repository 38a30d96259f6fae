import { z } from 'zod';

/** `/readyz`: `ok`, or what is missing in a few words. */
export const readinessSchema = z.object({
  checks: z.object({ store: z.string(), broker: z.string(), lease: z.string() }),
});
export type Readiness = z.infer<typeof readinessSchema>;
