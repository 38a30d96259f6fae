/** `writ.config.yaml`: toolsets, platforms, policy, model and budgets. Unknown keys are errors. */
import { z } from 'zod';
import { effectClassSchema, onDoubtSchema, toolNameSchema } from '../primitives';
import { durationSchema } from './duration';

export const configLimits = {
  /** What a session may spend where the file says nothing (interfaces.md, `budgets`). */
  budgets: {
    steps: 50,
    callsPerTurn: 200,
    callsPerBatch: 64,
    wallTimeMs: 30 * 60_000,
    roundTimeMs: 10 * 60_000,
    delegates: 3,
  },
  model: { tries: 4, timeoutMs: 120_000 },
  approvalDeadlineMs: 10 * 60_000,
} as const;

const regularExpression = z
  .string()
  .refine(isRegularExpression, { message: 'must be a JavaScript regular expression' });

function isRegularExpression(text: string): boolean {
  try {
    return new RegExp(text) instanceof RegExp;
  } catch {
    return false;
  }
}

export const toolsetSchema = z.strictObject({
  description: z.string().optional(),
  tools: z.array(toolNameSchema).default([]),
  includes: z.array(z.string()).default([]),
});

export const policyRuleSchema = z.strictObject({
  match: z.strictObject({
    tool: z.string().min(1).optional(),
    effect: z.union([effectClassSchema, z.array(effectClassSchema).min(1)]).optional(),
    args: z.record(z.string(), regularExpression).optional(),
    /** The session's platform: one of these names. */
    platform: z.union([z.string().min(1), z.array(z.string().min(1)).min(1)]).optional(),
    /** Key of the session's metadata and a pattern of its string value. Whoever opens a session says both. */
    metadata: z.record(z.string(), regularExpression).optional(),
  }),
  decide: z.enum(['allow', 'ask', 'refuse']),
  reason: z.string().optional(),
  deadline: durationSchema.optional(),
  onDoubt: onDoubtSchema.optional(),
});

export const writConfigSchema = z.strictObject({
  toolsets: z.record(z.string(), toolsetSchema).default({}),
  platforms: z.record(z.string(), z.strictObject({ toolsets: z.array(z.string()) })).default({}),
  /** Names that tools had once, and the tools that they mean now. */
  aliases: z.record(toolNameSchema, toolNameSchema).optional(),
  policy: z.array(policyRuleSchema).default([]),
  onDoubt: onDoubtSchema.default('tell_model'),
  model: z
    .strictObject({
      tries: z.number().int().positive().max(10).default(configLimits.model.tries),
      timeout: durationSchema.optional(),
      instructions: z.string().optional(),
    })
    .prefault({}),
  compaction: z
    .strictObject({ atTokens: z.number().int().positive(), keepRounds: z.number().int().positive() })
    .optional(),
  budgets: z
    .strictObject({
      steps: z.number().int().positive().default(configLimits.budgets.steps),
      callsPerTurn: z.number().int().positive().default(configLimits.budgets.callsPerTurn),
      callsPerBatch: z.number().int().positive().default(configLimits.budgets.callsPerBatch),
      wallTime: durationSchema.optional(),
      roundTime: durationSchema.optional(),
      delegates: z.number().int().nonnegative().default(configLimits.budgets.delegates),
    })
    .prefault({}),
});

export type WritConfig = z.infer<typeof writConfigSchema>;
export type PolicyRule = z.infer<typeof policyRuleSchema>;
export type Toolset = z.infer<typeof toolsetSchema>;
