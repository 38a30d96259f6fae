import type { CheckAnswer, ReadbackAnswer, RunResult } from '@writ/runtime';
import { isFields } from '../wire/fields';
import { cutText, wellFormed } from '../wire/text';
import { limits } from '../limits';
import { contentFrom, jsonFrom } from './content';

type Ran = Exclude<RunResult, { status: 'killed' }>;

export function ranFrom(value: unknown): Ran {
  const content = contentFrom(value);
  if (content.ok) return { status: 'returned', content: content.content };
  return {
    status: 'threw',
    notApplied: false,
    code: content.code,
    message: `${content.code}: ${content.why}`,
  };
}

/** By name: an error from another copy of a class, or from another process, is as good. */
export function threwFrom(error: unknown): Ran {
  const notApplied = isNamed(error, 'NotApplied');
  return { status: 'threw', notApplied, message: messageFrom(error, notApplied) };
}

/** A readback that answers in another shape than asked for knows nothing. */
export function readbackFrom(value: unknown): ReadbackAnswer {
  const effect = isFields(value) ? value['effect'] : undefined;
  if (!isFields(value) || (effect !== 'applied' && effect !== 'not_applied' && effect !== 'unknown')) {
    return unknownBecause('the readback answered in another shape than {effect, evidence, result?}');
  }
  const evidence = jsonFrom(value['evidence'] ?? null);
  if (!evidence.ok) return unknownBecause(`the evidence of the readback: ${evidence.why}`);
  if (!('result' in value)) return { effect, evidence: evidence.value };
  const result = contentFrom(value['result']);
  if (result.ok) return { effect, evidence: evidence.value, result: result.content };
  return { effect, evidence: { readback: evidence.value, result: `${result.code}: ${result.why}` } };
}

export const unknownBecause = (why: string): ReadbackAnswer => ({ effect: 'unknown', evidence: { why } });

export function checkFrom(value: unknown): CheckAnswer {
  if (value === undefined || value === null) return { ok: true };
  if (isFields(value) && typeof value['refuse'] === 'string') {
    return { ok: false, refuse: cutText(wellFormed(value['refuse']), limits.messageChars) };
  }
  return { ok: false, refuse: 'the check of the tool answered in another shape than nothing or { refuse }' };
}

/** Without the stack: that speaks of the machine, not of the call. */
export function messageFrom(error: unknown, bare = false): string {
  const text =
    error instanceof Error || (isFields(error) && typeof error['message'] === 'string')
      ? `${bare || !isFields(error) ? '' : `${String(error['name'])}: `}${String(Reflect.get(error, 'message'))}`
      : typeof error === 'string'
        ? error
        : `threw a value of type ${typeof error}`;
  return cutText(wellFormed(text), limits.messageChars);
}

const isNamed = (error: unknown, name: string): boolean => isFields(error) && error['name'] === name;
