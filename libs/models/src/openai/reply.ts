import type { ModelReply, ProposedCall } from '@writ/runtime';
import { z } from 'zod';
import { modelLimits } from '../limits';
import { readCall, readFunction } from './reply-calls';

/** As the record takes it: what is no whole number counts as unknown. */
const tokens = z.number().int().nonnegative();
const word = z.string().max(modelLimits.longestWord);

/** Some endpoints send parts: texts among thoughts and references, which are no part of the record. */
const textPartSchema = z.object({ type: z.literal('text'), text: z.string() }).transform(({ text }) => text);
const contentSchema = z.union([
  z.string(),
  z.array(textPartSchema.catch('')).transform((texts) => texts.join('')),
]);

/**
 * What a chat completion must be to become a reply. Endpoints that only resemble the official one send nulls and leave
 * things out; which calls a reply makes is never guessed, and a single odd call does not spoil a reply.
 */
const completionSchema = z.object({
  model: word.nullish(),
  choices: z
    .array(
      z.object({
        finish_reason: word.nullish(),
        message: z.object({
          content: contentSchema.nullish(),
          refusal: z.string().nullish(),
          tool_calls: z.array(z.unknown()).nullish(),
          function_call: z.unknown().optional(),
        }),
      }),
    )
    .min(1),
  usage: z.object({ prompt_tokens: tokens, completion_tokens: tokens }).nullish().catch(undefined),
});

/** The reply in a provider's answer; undefined where it has another shape. */
export function readReply(completion: unknown, modelAsked: string): ModelReply | undefined {
  const parsed = completionSchema.safeParse(completion);
  const choice = parsed.data?.choices[0];
  if (!parsed.success || choice === undefined) return undefined;
  const { message, finish_reason: finishReason } = choice;
  const calls = callsOf(message.tool_calls ?? [], message.function_call ?? undefined);
  if (calls === undefined) return undefined;
  const { usage, model } = parsed.data;
  return {
    text: message.content ?? message.refusal ?? '',
    calls,
    finishReason: finishReason ?? 'unknown',
    model: model ?? modelAsked,
    ...(usage
      ? { usage: { promptTokens: usage.prompt_tokens, completionTokens: usage.completion_tokens } }
      : {}),
  };
}

/** Undefined where calls stand in both places: whether they are the same ones would be a guess. */
function callsOf(entries: readonly unknown[], single: unknown): readonly ProposedCall[] | undefined {
  if (single === undefined) return entries.map(readCall);
  return entries.length === 0 ? [readFunction(single)] : undefined;
}
