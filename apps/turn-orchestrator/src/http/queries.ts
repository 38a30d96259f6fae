/** Query strings of the orchestrator's HTTP interface. */
import { idSchema, positionSchema, transcriptFormatSchema } from '@writ/contracts';
import { z } from 'zod';

const mostPerPage = 500;
const wholeNumber = z
  .string()
  .regex(/^[0-9]{1,6}$/)
  .transform(Number);

export const listQuerySchema = z.strictObject({
  /** The last session of the page before. */
  after: idSchema.optional(),
  limit: wholeNumber.pipe(z.number().min(1).max(mostPerPage)).default(50),
});
export const startQuerySchema = z.strictObject({ wait: z.enum(['true', 'false']).optional() });
export const transcriptQuerySchema = z.strictObject({
  format: transcriptFormatSchema.default('canonical'),
  at: positionSchema.optional(),
});
