import type { EffectClass, PolicyRule } from '@writ/contracts';
import { authorize, policyFor, type PolicyDecision } from '@writ/protocol';
import type { PolicyFile } from './read-policy';
import type { Question } from './read-questions';

export interface Answer {
  /** Of the case in its file. */
  readonly caseLine?: number;
  readonly tool: string;
  readonly effect: EffectClass;
  readonly effectFrom: 'given' | 'manifest';
  readonly platform: string;
  readonly decision: PolicyDecision;
  /** Where the rule that decides stands; absent where none matches. */
  readonly at?: { readonly file: string; readonly line: number };
  /** What the rule looks at, and the reason that it gives. */
  readonly why: string;
  readonly expected?: { readonly decide?: string; readonly rule?: string };
  readonly ok: boolean;
}

/** What the policy says of one call. Nothing runs. */
export function answerTo(
  { call, line }: Question,
  { file, effect }: { readonly file: PolicyFile; readonly effect: EffectClass },
): Answer {
  const { tool, args, platform, metadata, expect, rule } = call;
  const policy = policyFor(file.policy, { platform, metadata });
  const decision = authorize(policy, { tool, effectClass: effect, args });
  const place = placeOf(decision.rule);
  const decider = place === undefined ? undefined : file.rules[place];
  return {
    ...(line !== undefined && { caseLine: line }),
    tool,
    effect,
    effectFrom: call.effect === undefined ? 'manifest' : 'given',
    platform,
    decision,
    ...(place !== undefined && { at: { file: file.filename, line: file.lineOfRule(place) } }),
    why: [decider && matchText(decider.match), decision.reason].filter(Boolean).join(': '),
    ...((expect ?? rule) !== undefined && {
      expected: { ...(expect !== undefined && { decide: expect }), ...(rule !== undefined && { rule }) },
    }),
    ok:
      (expect === undefined || expect === decision.decide) && (rule === undefined || rule === decision.rule),
  };
}

function placeOf(rule: string): number | undefined {
  const place = /^policy\[([0-9]+)\]$/.exec(rule)?.[1];
  return place === undefined ? undefined : Number(place);
}

function matchText({ tool, effect, args, platform, metadata }: PolicyRule['match']): string {
  const either = (names: string | readonly string[]): string =>
    typeof names === 'string' ? names : names.join('|');
  const patterns = (of: string, parts: Readonly<Record<string, string>> = {}): readonly string[] =>
    Object.entries(parts).map(([key, pattern]) => `${of}.${key} ~ ${pattern}`);
  const parts = [
    ...(tool === undefined ? [] : [`tool ${tool}`]),
    ...(effect === undefined ? [] : [`effect ${either(effect)}`]),
    ...patterns('args', args),
    ...(platform === undefined ? [] : [`platform ${either(platform)}`]),
    ...patterns('metadata', metadata),
  ];
  return parts.length === 0 ? 'every call' : parts.join(', ');
}
