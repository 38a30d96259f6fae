import type { ModelOutcome } from '@writ/runtime';
import { APIConnectionError, APIConnectionTimeoutError, APIError } from 'openai';

export type ModelFailure = Extract<ModelOutcome, { ok: false }>;

/** Statuses that another try can cure: timeouts, conflicts, too many requests, and all of 5xx. */
const passingStatuses = new Set([408, 409, 425, 429]);

export const tookTooLong: ModelFailure = {
  ok: false,
  retryable: true,
  cause: 'the model gave no reply in time',
};
export const wasStopped: ModelFailure = { ok: false, retryable: false, cause: 'the request was stopped' };
export const strangeReply: ModelFailure = {
  ok: false,
  retryable: true,
  cause: 'the reply is no chat completion',
};

/** In our words only: an error of the client may quote the key, the prompt or the body. */
export function failureOf(error: unknown): ModelFailure {
  if (error instanceof APIConnectionTimeoutError) return tookTooLong;
  if (error instanceof APIConnectionError) {
    return { ok: false, retryable: true, cause: `the model cannot be reached (${networkCode(error)})` };
  }
  if (error instanceof APIError && typeof error.status === 'number') {
    const retryable = error.status >= 500 || passingStatuses.has(error.status);
    return { ok: false, retryable, cause: `the model answered with status ${error.status}` };
  }
  // A body that breaks off or is no JSON.
  return strangeReply;
}

/** Such as ECONNREFUSED: the deepest code among the causes. */
function networkCode(error: object): string {
  let code = 'no connection';
  let cause: unknown = error;
  for (let depth = 0; depth < 5 && typeof cause === 'object' && cause !== null; depth += 1) {
    if ('code' in cause && typeof cause.code === 'string' && /^[A-Z_]{1,40}$/.test(cause.code))
      code = cause.code;
    cause = 'cause' in cause ? cause.cause : undefined;
  }
  return code;
}
