import type { OpenaiMessage, PublishedTool } from '@writ/contracts';

export interface ModelRequest {
  readonly sessionId: string;
  /** How many replies this session has on record: which line of a script is next. */
  readonly repliesBefore: number;
  readonly messages: readonly OpenaiMessage[];
  readonly tools: readonly PublishedTool[];
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** One call as the provider sent it; nothing is repaired here. */
export interface ProposedCall {
  readonly id?: string;
  /** Empty where it sent none. */
  readonly name: string;
  /** Empty where it sent none. */
  readonly arguments: string;
  /** The provider sent another value than a text as arguments; `arguments` is that value as JSON and never runs. */
  readonly sentAs?: 'object' | 'list' | 'number' | 'boolean';
}

export interface ModelReply {
  readonly text: string;
  readonly calls: readonly ProposedCall[];
  readonly finishReason: string;
  readonly model: string;
  readonly usage?: { readonly promptTokens: number; readonly completionTokens: number };
}

export type ModelOutcome =
  | { readonly ok: true; readonly reply: ModelReply }
  /** `cause` is fit for people and records: no key, no prompt. */
  | { readonly ok: false; readonly retryable: boolean; readonly cause: string };

/** One try of one step; the caller counts the tries. */
export interface Model {
  complete(request: ModelRequest): Promise<ModelOutcome>;
}
