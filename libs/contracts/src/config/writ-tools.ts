/** `writ.tools.yaml`: what one executor loads. Unknown keys are errors; paths are relative to the file. */
import { z } from 'zod';
import { effectClassSchema, poolSchema } from '../primitives';

export const builtinToolSchema = z.enum(['read_file', 'list_folder', 'write_file']);

export const writToolsSchema = z.strictObject({
  pool: poolSchema.default('default'),
  slots: z.number().int().positive().max(256).default(8),
  modules: z.array(z.string().min(1)).default([]),
  builtin: z.strictObject({ root: z.string().min(1), tools: z.array(builtinToolSchema).min(1) }).optional(),
  http: z
    .strictObject({ allow: z.array(z.string()).default([]), idempotent: z.array(z.string()).default([]) })
    .optional(),
  mcp: z
    .array(
      z.strictObject({
        name: z.string(),
        command: z.string(),
        args: z.array(z.string()).default([]),
        env: z.record(z.string(), z.string()).default({}),
        effects: z.record(z.string(), effectClassSchema).default({}),
      }),
    )
    .default([]),
});
export type WritTools = z.infer<typeof writToolsSchema>;
export type BuiltinTool = z.infer<typeof builtinToolSchema>;
