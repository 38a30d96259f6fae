import { toolRoundLimits } from '../limits';

/** Why what was sent is no arguments (protocol 2, "Arguments and digest"), in the order of the checks. */
export const argumentsCodes = [
  'not_text',
  'too_large',
  'not_json',
  'ends_early',
  'not_object',
  'too_deep',
  'doubled_key',
  'dangerous_key',
  'integer_too_large',
  'number_out_of_range',
  'number_inexact',
  'lone_surrogate',
  'null_character',
] as const;
export type ArgumentsCode = (typeof argumentsCodes)[number];

/** Why a proposed call does not run, in order of precedence: a call has the first that applies (R6, R11). */
export const refusalCodes = [
  'truncated',
  'invalid_batch',
  'unknown_tool',
  'invalid_arguments',
  'policy_refused',
  'duplicate_call',
  'delegate_cap',
  'batch_cap',
  'calls_budget',
] as const;
export type RefusalCode = (typeof refusalCodes)[number];

/** What a model can do better by itself; what policy and budgets refuse is no fault in what it sent. */
export const faultsOfModel: ReadonlySet<string> = new Set<RefusalCode>([
  'truncated',
  'invalid_batch',
  'unknown_tool',
  'invalid_arguments',
  'duplicate_call',
]);

/** `rule` says what decided, `reason` is written for the model and for people. */
export interface Refusal {
  readonly code: RefusalCode;
  readonly rule: string;
  readonly reason: string;
}

export const refusal = (code: RefusalCode, rule: string, reason: string): Refusal => ({
  code,
  rule,
  reason: bounded(reason),
});

/** Names for the model to choose from, sorted and bounded. */
export function listed(names: readonly string[]): string {
  if (names.length === 0) return 'none';
  const shown = [...names].sort().slice(0, toolRoundLimits.namesListed);
  const more = names.length - shown.length;
  return shown.join(', ') + (more > 0 ? ` and ${more} more` : '');
}

/** Cut between code points, so that no half of a surrogate pair is left over. */
function bounded(text: string): string {
  if (text.length <= toolRoundLimits.reasonLength) return text;
  const cut = text.slice(0, toolRoundLimits.reasonLength);
  return `${cut.replace(/[\ud800-\udbff]$/, '')}…`;
}
