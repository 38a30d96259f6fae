import { z } from 'zod';
import {
  contentPartSchema,
  digestSchema,
  effectSchema,
  idSchema,
  jsonSchema,
  outcomeSchema,
  readbackEffectSchema,
  revisionSchema,
} from '../primitives';

/** What a readback said, with its evidence. */
export const readbackSchema = z.object({ effect: readbackEffectSchema, evidence: jsonSchema });

/** The one result of a call. `digest` is SHA-256 over RFC 8785 of {outcome, effect, code?, content, readback?}. */
export const toolResultCommittedSchema = z.object({
  callId: idSchema,
  outcome: outcomeSchema,
  effect: effectSchema,
  /** Stable machine word for what is not a plain success, such as `unknown_tool`, `invalid_arguments`, `deadline`. */
  code: z.string().optional(),
  content: z.array(contentPartSchema),
  digest: digestSchema,
  /** Epoch of the claim or takeover under which it was produced; absent where nothing was claimed. */
  epoch: revisionSchema.optional(),
  /** A readback made before the commit that decided the effect. */
  readback: readbackSchema.optional(),
});

export type Readback = z.infer<typeof readbackSchema>;
