import { z } from 'zod';

/** One line of `WRIT_MODEL_SCRIPT`: a reply as chat completions would give it, taken in order per session. */
export const scriptedReplySchema = z.strictObject({
  content: z.string().nullable().optional(),
  tool_calls: z
    .array(
      z.looseObject({
        id: z.string().optional(),
        type: z.string().optional(),
        function: z.looseObject({ name: z.string(), arguments: z.string() }),
      }),
    )
    .optional(),
  finish_reason: z.string().optional(),
  delayMs: z.number().int().nonnegative().max(600_000).optional(),
});
export type ScriptedReply = z.infer<typeof scriptedReplySchema>;
