import { readFileSync } from 'node:fs';
import { openaiModel, scriptedModel } from '@writ/models';
import type { Model } from '@writ/runtime';
import type { OrchestratorEnv } from './env';

export type ChosenModel =
  { readonly ok: true; readonly model: Model } | { readonly ok: false; readonly problem: string };

/** A script where one is named, else the OpenAI-compatible endpoint. */
export function chooseModel(env: OrchestratorEnv): ChosenModel {
  const {
    WRIT_MODEL_SCRIPT: script,
    OPENAI_BASE_URL: baseUrl,
    OPENAI_API_KEY: apiKey,
    WRIT_MODEL: model,
  } = env;
  if (script !== undefined) return scripted(script);
  if (model === undefined && baseUrl === undefined && apiKey === undefined) {
    return { ok: true, model: noModel };
  }
  const endpoint = {
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(apiKey === undefined ? {} : { apiKey }),
  };
  return { ok: true, model: openaiModel({ ...endpoint, model: model ?? defaultModel }) };
}

const defaultModel = 'gpt-4.1-mini';

/** A stack without a model starts and is ready; its turns say what is missing. */
const noModel: Model = {
  complete: () =>
    Promise.resolve({
      ok: false,
      retryable: false,
      cause:
        'no model is configured: set OPENAI_BASE_URL, OPENAI_API_KEY and WRIT_MODEL, or WRIT_MODEL_SCRIPT',
    }),
};

function scripted(path: string): ChosenModel {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    return {
      ok: false,
      problem: `WRIT_MODEL_SCRIPT: ${path} cannot be read; name a file of JSON lines, one reply each`,
    };
  }
  const script = scriptedModel(text);
  return script.ok ? script : { ok: false, problem: `WRIT_MODEL_SCRIPT: ${script.fault}` };
}
