import type { PublishedTool } from '@writ/contracts';
import type { Model, ModelOutcome, ModelRequest } from '@writ/runtime';
import OpenAI from 'openai';
import { modelLimits } from '../limits';
import { failureOf, strangeReply, tookTooLong, wasStopped } from './failure';
import { readReply } from './reply';

export interface OpenaiModelOptions {
  /** As in `http://127.0.0.1:11434/v1`; the official endpoint where nothing is said. */
  readonly baseUrl?: string | undefined;
  /** Local endpoints take none. */
  readonly apiKey?: string | undefined;
  readonly model: string;
}

const officialUrl = 'https://api.openai.com/v1';

/**
 * Any endpoint that speaks chat completions, by the official client. One call of `complete` is one request: the client
 * repeats nothing, since the caller counts the tries. Nothing is streamed, so a broken stream leaves no half of a reply.
 */
export function openaiModel({ baseUrl, apiKey, model }: OpenaiModelOptions): Model {
  const client = new OpenAI({
    baseURL: baseUrl ?? officialUrl,
    apiKey: apiKey ?? 'none',
    organization: null,
    project: null,
    maxRetries: 0,
    // The client would write requests and replies to the console.
    logLevel: 'off',
  });
  return { complete: (request) => complete(client, model, request) };
}

async function complete(client: OpenAI, model: string, request: ModelRequest): Promise<ModelOutcome> {
  // The client's own timer ends with the headers; a body may hang as well.
  const timeoutMs = Math.min(request.timeoutMs, modelLimits.longestTimerMs);
  const timer = AbortSignal.timeout(timeoutMs);
  const signal = AbortSignal.any([request.signal, timer]);
  try {
    const completion: unknown = await client.chat.completions.create(
      { model, messages: [...request.messages], ...offered(request.tools) },
      { signal, timeout: timeoutMs },
    );
    const reply = readReply(completion, model);
    return reply === undefined ? strangeReply : { ok: true, reply };
  } catch (error) {
    if (request.signal.aborted) return wasStopped;
    return timer.aborted ? tookTooLong : failureOf(error);
  }
}

/** Endpoints refuse an empty list. */
function offered(tools: readonly PublishedTool[]): { tools?: OpenAI.Chat.ChatCompletionTool[] } {
  if (tools.length === 0) return {};
  return {
    tools: tools.map(({ name, description, inputSchema }) => ({
      type: 'function',
      function: { name, description, parameters: inputSchema },
    })),
  };
}
