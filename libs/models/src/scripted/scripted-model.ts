import type { ScriptedReply } from '@writ/contracts';
import type { Clock, Model, ModelOutcome, ModelReply, ModelRequest } from '@writ/runtime';
import { modelLimits } from '../limits';
import { readScript } from './script';

export type ScriptedModel =
  { readonly ok: true; readonly model: Model } | { readonly ok: false; readonly fault: string };

/**
 * Replies from a text instead of a provider, for the demo and for tests. Which line is next is no state of this model:
 * it is how many replies the session has on record, so a script goes on where it was after any crash.
 */
export function scriptedModel(text: string, sleep: Clock['sleep'] = sleepByTimer): ScriptedModel {
  const script = readScript(text);
  if (!script.ok) return script;
  return { ok: true, model: { complete: (request) => next(script.replies, request, sleep) } };
}

async function next(
  replies: readonly ScriptedReply[],
  { repliesBefore, timeoutMs, signal }: ModelRequest,
  sleep: Clock['sleep'],
): Promise<ModelOutcome> {
  const scripted = replies[repliesBefore];
  if (scripted === undefined) {
    return { ok: false, retryable: false, cause: `the script has no reply number ${repliesBefore + 1}` };
  }
  const delayMs = scripted.delayMs ?? 0;
  if (delayMs > 0) await sleep(Math.min(delayMs, timeoutMs), signal);
  if (signal.aborted) return { ok: false, retryable: false, cause: 'the request was stopped' };
  if (delayMs > timeoutMs) return { ok: false, retryable: true, cause: 'the model gave no reply in time' };
  return { ok: true, reply: replyOf(scripted) };
}

function replyOf({
  content,
  tool_calls: calls = [],
  finish_reason: finishReason,
}: ScriptedReply): ModelReply {
  return {
    text: content ?? '',
    calls: calls.map(({ id, function: called }) => ({
      ...(id === undefined ? {} : { id }),
      name: called.name,
      arguments: called.arguments,
    })),
    finishReason: finishReason ?? (calls.length > 0 ? 'tool_calls' : 'stop'),
    model: 'script',
  };
}

function sleepByTimer(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, Math.min(ms, modelLimits.longestTimerMs));
    signal?.addEventListener('abort', end, { once: true });
  });
}
