import type { Json } from '@writ/contracts';
import type { CompiledPolicy, CompiledRule, KeyPattern } from './authorize';

/** What a rule may look at besides the call. */
export interface PolicySession {
  readonly platform: string;
  readonly metadata?: Readonly<Record<string, Json>> | undefined;
}

/**
 * The policy as it stands for one session: every rule keeps its place, so that `policy[3]` means the same in all of
 * them; a rule whose platform or metadata is another never matches. Metadata matches as it is; it is no path.
 */
export function policyFor(policy: CompiledPolicy, session: PolicySession): CompiledPolicy {
  return { ...policy, rules: policy.rules.map((rule) => ruleFor(rule, session)) };
}

function ruleFor(rule: CompiledRule, session: PolicySession): CompiledRule {
  const { platform, metadata, ...match } = rule.match;
  if (platform === undefined && metadata === undefined) return rule;
  const isAbout =
    (platform === undefined || platform.includes(session.platform)) &&
    (metadata ?? []).every((part) => holds(part, session.metadata ?? {}));
  return { ...rule, match: isAbout ? match : { tool: () => false } };
}

function holds({ key, pattern }: KeyPattern, metadata: Readonly<Record<string, Json>>): boolean {
  const value = Object.hasOwn(metadata, key) ? metadata[key] : undefined;
  return typeof value === 'string' && pattern.test(value);
}
