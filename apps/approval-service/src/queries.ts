import { idSchema } from '@writ/contracts';
import { z } from 'zod';

const mostPerPage = 200;

export const pageQuerySchema = z.strictObject({
  /** The last call of the page before. */
  after: idSchema.optional(),
  limit: z
    .string()
    .regex(/^[0-9]{1,6}$/)
    .transform(Number)
    .pipe(z.number().min(1).max(mostPerPage))
    .default(50),
});
/** Only what waits is listed; what was decided stands in the transcript. */
export const approvalsQuerySchema = pageQuerySchema.extend({
  status: z.literal('pending').default('pending'),
});
