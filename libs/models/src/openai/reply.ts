import type { ModelReply } from '@writ/runtime';
import { z } from 'zod';
import { modelLimits } from '../limits';

const word = z.string().max(modelLimits.longestWord);
const callSchema = z.object({
  id: z.string().nullish(),
  function: z.object({ name: z.string(), arguments: z.string() }),
});

/**
 * What a chat completion must be to become a reply. Endpoints that only resemble the official one send nulls and leave
 * things out; whatever carries meaning (a call's name, its argument text) is never guessed.
 */
const completionSchema = z.object({
  model: word.nullish(),
  choices: z
    .array(
      z.object({
        finish_reason: word.nullish(),
        message: z.object({
          content: z.string().nullish(),
          refusal: z.string().nullish(),
          tool_calls: z.array(callSchema).nullish(),
        }),
      }),
    )
    .min(1),
  usage: z
    .object({ prompt_tokens: z.number().nonnegative(), completion_tokens: z.number().nonnegative() })
    .nullish()
    .catch(undefined),
});

/** The reply in a provider's answer; undefined where it has another shape. */
export function readReply(completion: unknown, modelAsked: string): ModelReply | undefined {
  const parsed = completionSchema.safeParse(completion);
  const choice = parsed.data?.choices[0];
  if (!parsed.success || choice === undefined) return undefined;
  const { message, finish_reason: finishReason } = choice;
  const { usage, model } = parsed.data;
  return {
    text: message.content ?? message.refusal ?? '',
    calls: (message.tool_calls ?? []).map(({ id, function: called }) => ({
      ...(typeof id === 'string' ? { id } : {}),
      name: called.name,
      arguments: called.arguments,
    })),
    finishReason: finishReason ?? 'unknown',
    model: model ?? modelAsked,
    ...(usage
      ? { usage: { promptTokens: usage.prompt_tokens, completionTokens: usage.completion_tokens } }
      : {}),
  };
}
