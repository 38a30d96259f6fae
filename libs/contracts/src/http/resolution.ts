import { z } from 'zod';
import { idSchema, jsonSchema, readbackEffectSchema, revisionSchema, timeSchema } from '../primitives';

/**
 * `POST /v1/in-doubt/{callId}/resolution`: what a person found out about a held call. `rerun` only together with
 * `not_applied`. `epoch`, where given, is that of the listed item: an answer to an earlier doubt then orders nothing anew.
 */
export const resolutionRequestSchema = z
  .strictObject({
    effect: readbackEffectSchema,
    evidence: jsonSchema,
    rerun: z.boolean().optional(),
    epoch: revisionSchema.optional(),
  })
  .refine(({ effect, rerun }) => rerun !== true || effect === 'not_applied', {
    path: ['rerun'],
    message: 'is ordered only together with effect not_applied',
  });
export const resolutionResponseSchema = z.object({
  callId: idSchema,
  effect: readbackEffectSchema,
  rerun: z.boolean(),
  by: z.string(),
  at: timeSchema,
});
export type ResolutionRequest = z.infer<typeof resolutionRequestSchema>;
export type ResolutionResponse = z.infer<typeof resolutionResponseSchema>;
