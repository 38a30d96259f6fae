import type { ProblemCode } from '@writ/contracts';

/** An answer that is no success: a closed code, a sentence for people, and what else the caller may use. */
export interface Refused {
  readonly refused: ProblemCode;
  readonly detail: string;
  readonly extra?: { readonly [member: string]: unknown };
}

export const refused = (code: ProblemCode, detail: string, extra?: Refused['extra']): Refused =>
  extra === undefined ? { refused: code, detail } : { refused: code, detail, extra };

export const isRefused = (answer: object): answer is Refused => 'refused' in answer;

export const storeAway = (): Refused => refused('store_unavailable', 'the event store does not answer');
