import type { OpenaiMessage, PublishedTool } from '@writ/contracts';
import { backoffMs } from '../backoff';
import { runtimeLimits } from '../limits';
import type { ModelOutcome, ModelReply } from '../ports';
import type { SessionPorts, SessionRules } from './session-ports';

export interface Question {
  readonly sessionId: string;
  readonly step: number;
  readonly repliesBefore: number;
  readonly messages: readonly OpenaiMessage[];
  readonly tools: readonly PublishedTool[];
  readonly signal: AbortSignal;
}

export type Answer =
  | { readonly ok: true; readonly reply: ModelReply }
  | { readonly ok: false; readonly cause: string }
  /** The owner had to stop asking; nothing is said about the model. */
  | { readonly ok: 'stopped' };

/** Asks for one step; all tries together are `model.tries` of the configuration. */
export async function askModel(
  ports: SessionPorts,
  rules: SessionRules,
  question: Question,
): Promise<Answer> {
  const { clock, entropy, log } = ports;
  let last = 'no try was made';
  for (let tries = 0; tries < rules.model.tries; tries += 1) {
    const outcome = await oneTry(ports, rules, question);
    if (question.signal.aborted) return { ok: 'stopped' };
    if (outcome.ok) return outcome;
    last = outcome.cause;
    log.warn('model_try_failed', {
      sessionId: question.sessionId,
      step: question.step,
      tries: tries + 1,
      cause: last,
    });
    if (!outcome.retryable) break;
    const pauseMs = backoffMs(
      tries,
      { firstMs: runtimeLimits.modelRetryFirstMs, longestMs: runtimeLimits.modelRetryLongestMs },
      entropy,
    );
    if (tries + 1 < rules.model.tries) await clock.sleep(pauseMs, question.signal);
    if (question.signal.aborted) return { ok: 'stopped' };
  }
  return { ok: false, cause: last };
}

async function oneTry(ports: SessionPorts, rules: SessionRules, question: Question): Promise<ModelOutcome> {
  const { step: _step, ...request } = question;
  return ports.model.complete({ ...request, timeoutMs: rules.model.timeoutMs });
}
