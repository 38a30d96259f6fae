/** What `writ policy test` asks: calls, and what the policy is expected to say of each. Unknown keys are errors. */
import { z } from 'zod';
import { effectClassSchema, jsonSchema, toolNameSchema } from '../primitives';

const expectedDecision = z.enum(['allow', 'ask', 'refuse']);

export const policyQuestionSchema = z.strictObject({
  tool: toolNameSchema,
  /** Without it: the effect class that the store's manifests name. */
  effect: effectClassSchema.optional(),
  args: z.record(z.string(), jsonSchema).default({}),
  /** Of the session. */
  platform: z.string().min(1).default('api'),
  /** Of the session. */
  metadata: z.record(z.string(), jsonSchema).default({}),
  expect: expectedDecision.optional(),
  /** `policy[2]`, or `policy:none` where no rule shall match. */
  rule: z
    .string()
    .regex(/^policy(\[[0-9]{1,6}\]|:none)$/, { message: 'must be policy[<place>] or policy:none' })
    .optional(),
});
export type PolicyQuestion = z.infer<typeof policyQuestionSchema>;

/** A file of cases. One without any, or a case that expects nothing, would be a test that cannot fail. */
export const policyCasesSchema = z
  .array(policyQuestionSchema.extend({ expect: expectedDecision }))
  .min(1, { message: 'must have at least one case' });
