import { configLimits, type EffectClass, type Json, type OnDoubt } from '@writ/contracts';
import { readingsOf } from './readings';

export interface KeyPattern {
  readonly key: string;
  readonly pattern: RegExp;
}

/** One rule of the configuration with its patterns compiled. All parts of a match must hold; without any it always does. */
export interface CompiledRule {
  readonly match: {
    /** The glob over tool names. */
    readonly tool?: (name: string) => boolean;
    readonly effect?: readonly EffectClass[];
    /** Top-level key and the pattern of its string value. Patterns are stateless: neither global nor sticky. */
    readonly args?: readonly KeyPattern[];
    /** Of the session; `policyFor` decides this part and the next. */
    readonly platform?: readonly string[];
    readonly metadata?: readonly KeyPattern[];
  };
  readonly decide: 'allow' | 'ask' | 'refuse';
  readonly reason?: string;
  /** Milliseconds that a person has. */
  readonly deadlineMs?: number;
  readonly onDoubt?: OnDoubt;
}

export interface CompiledPolicy {
  readonly rules: readonly CompiledRule[];
  /** What becomes of a call in doubt where its rule says nothing. */
  readonly onDoubt: OnDoubt;
}

export interface PolicyCall {
  readonly tool: string;
  readonly effectClass: EffectClass;
  readonly args: { readonly [key: string]: Json };
}

export interface PolicyDecision {
  readonly decide: 'allow' | 'ask' | 'refuse';
  /** `policy[2]`, or `policy:none` where no rule matched. */
  readonly rule: string;
  readonly reason?: string;
  /** Only with `ask`. */
  readonly approvalDeadlineMs?: number;
  readonly onDoubt: OnDoubt;
}

/**
 * The first rule that matches decides. No policy, an empty one or no match is a refusal (R6), and so is a rule that
 * matches one reading of an argument and not the other: whichever is right, guessing would be the tool's to exploit.
 * A rule that still looks at the session, because nobody has applied `policyFor`, refuses what it could be about.
 */
export function authorize(policy: CompiledPolicy | undefined, call: PolicyCall): PolicyDecision {
  const onDoubt = policy?.onDoubt ?? 'tell_model';
  for (const [index, rule] of (policy?.rules ?? []).entries()) {
    const matched = matchOf(rule, call);
    if (matched === 'yes') return decisionOf(rule, `policy[${index}]`, onDoubt);
    if (matched !== 'no')
      return { decide: 'refuse', rule: `policy[${index}]`, reason: refusedBecause[matched], onDoubt };
  }
  return { decide: 'refuse', rule: 'policy:none', reason: 'no policy rule allows it', onDoubt };
}

const refusedBecause = {
  unclear: 'an argument means one thing as a URL and another as a path',
  unbound: 'the rule looks at the session, and the session is not known',
} as const;

function decisionOf(rule: CompiledRule, name: string, onDoubt: OnDoubt): PolicyDecision {
  return {
    decide: rule.decide,
    rule: name,
    ...(rule.reason !== undefined && { reason: rule.reason }),
    ...(rule.decide === 'ask' && { approvalDeadlineMs: rule.deadlineMs ?? configLimits.approvalDeadlineMs }),
    onDoubt: rule.onDoubt ?? onDoubt,
  };
}

type Match = 'yes' | 'no' | keyof typeof refusedBecause;

function matchOf({ match }: CompiledRule, call: PolicyCall): Match {
  if (match.tool !== undefined && !match.tool(call.tool)) return 'no';
  if (match.effect !== undefined && !match.effect.includes(call.effectClass)) return 'no';
  const parts = (match.args ?? []).map(({ key, pattern }): Match => {
    const value = Object.hasOwn(call.args, key) ? call.args[key] : undefined;
    if (typeof value !== 'string') return 'no';
    const answers = readingsOf(value).map((reading) => pattern.test(reading));
    if (answers.every((answer) => answer)) return 'yes';
    return answers.some((answer) => answer) ? 'unclear' : 'no';
  });
  if (parts.includes('no')) return 'no';
  if (match.platform !== undefined || match.metadata !== undefined) return 'unbound';
  return parts.includes('unclear') ? 'unclear' : 'yes';
}
