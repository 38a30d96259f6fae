/**
 * The audit's rules A1 to A10 as predicates over recorded events, one file per rule. They share no code with the
 * deciders or the folds: whoever forgets a rule there is found out here.
 */
import { checkA1 } from './a1';
import { checkA2 } from './a2';
import { checkA3 } from './a3';
import { checkA4 } from './a4';
import { checkA5 } from './a5';
import { checkA6 } from './a6';
import { checkA7 } from './a7';

/** Rules that need nothing but the history. */
export const historyRules = {
  A1: checkA1,
  A2: checkA2,
  A3: checkA3,
  A4: checkA4,
  A5: checkA5,
  A6: checkA6,
  A7: checkA7,
} as const;
export { checkA8, type RenderedSession } from './a8';
export { listA9, type CallStanding, type ListedCall } from './a9';
export { addToChain, checkChain, emptyChain, type ChainState, type DigestOf } from './a10';
export type { EventPlace, Finding, History, Rule, RuleReport } from './history';
export { checkAnthropicMessages, checkOpenaiMessages } from './provider-legality';
