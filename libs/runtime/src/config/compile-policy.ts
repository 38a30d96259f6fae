import type { PolicyRule, WritConfig } from '@writ/contracts';
import type { CompiledPolicy, CompiledRule, ConfigProblem } from '@writ/protocol';
import picomatch from 'picomatch';

export type CompiledRules =
  | { readonly ok: true; readonly policy: CompiledPolicy }
  | { readonly ok: false; readonly problems: readonly ConfigProblem[] };

type Rules = Pick<WritConfig, 'policy' | 'platforms' | 'onDoubt'>;

/** Globs and regular expressions become matchers here, so that the core needs no package for them. */
export function compilePolicy({ policy, platforms, onDoubt }: Rules): CompiledRules {
  const compiled = policy.map(compileRule);
  const problems = compiled.flatMap((rule, index) => [
    ...(typeof rule === 'string' ? [{ path: ['policy', index, 'match', 'tool'], message: rule }] : []),
    ...unknownPlatforms(policy[index], platforms).map(({ path, message }) => ({
      path: ['policy', index, ...path],
      message,
    })),
  ]);
  const rules = compiled.filter((rule): rule is CompiledRule => typeof rule !== 'string');
  return problems.length > 0 ? { ok: false, problems } : { ok: true, policy: { rules, onDoubt } };
}

/** The rule, or what is wrong with its glob. The schema has tried the regular expressions already. */
function compileRule({ match, decide, reason, deadline, onDoubt }: PolicyRule): CompiledRule | string {
  const tool = match.tool === undefined ? undefined : compileGlob(match.tool);
  if (tool === 'unusable') return 'must be a glob over tool names';
  const { effect, platform } = match;
  return {
    match: {
      ...(tool && { tool }),
      ...(effect !== undefined && { effect: listOf(effect) }),
      ...(match.args && { args: patternsOf(match.args) }),
      ...(platform !== undefined && { platform: listOf(platform) }),
      ...(match.metadata && { metadata: patternsOf(match.metadata) }),
    },
    decide,
    ...(reason !== undefined && { reason }),
    ...(deadline !== undefined && { deadlineMs: deadline }),
    ...(onDoubt !== undefined && { onDoubt }),
  };
}

const listOf = <T>(one: T | T[]): readonly T[] => (Array.isArray(one) ? one : [one]);

const patternsOf = (patterns: Readonly<Record<string, string>>) =>
  Object.entries(patterns).map(([key, pattern]) => ({ key, pattern: new RegExp(pattern) }));

/** A rule for a platform that is misspelt would never decide. Without platforms any name is one. */
function unknownPlatforms(rule: PolicyRule | undefined, platforms: WritConfig['platforms']): ConfigProblem[] {
  const named = rule?.match.platform;
  if (named === undefined || Object.keys(platforms).length === 0) return [];
  return listOf(named).flatMap((name, place) =>
    Object.hasOwn(platforms, name)
      ? []
      : [
          {
            path: ['match', 'platform', ...(Array.isArray(named) ? [place] : [])],
            message: `unknown platform ${JSON.stringify(name)}`,
          },
        ],
  );
}

function compileGlob(glob: string): ((name: string) => boolean) | 'unusable' {
  try {
    const isMatch = picomatch(glob, { dot: true, strictBrackets: true });
    return (name) => isMatch(name);
  } catch {
    return 'unusable';
  }
}
