import type { PolicyRule, WritConfig } from '@writ/contracts';
import type { CompiledPolicy, CompiledRule, ConfigProblem } from '@writ/protocol';
import picomatch from 'picomatch';

export type CompiledRules =
  | { readonly ok: true; readonly policy: CompiledPolicy }
  | { readonly ok: false; readonly problems: readonly ConfigProblem[] };

/** Globs and regular expressions become matchers here, so that the core needs no package for them. */
export function compilePolicy({ policy, onDoubt }: Pick<WritConfig, 'policy' | 'onDoubt'>): CompiledRules {
  const compiled = policy.map(compileRule);
  const problems = compiled.flatMap((rule, index) =>
    typeof rule === 'string' ? [{ path: ['policy', index, 'match', 'tool'], message: rule }] : [],
  );
  const rules = compiled.filter((rule): rule is CompiledRule => typeof rule !== 'string');
  return problems.length > 0 ? { ok: false, problems } : { ok: true, policy: { rules, onDoubt } };
}

/** The rule, or what is wrong with its glob. The schema has tried the regular expressions already. */
function compileRule({ match, decide, reason, deadline, onDoubt }: PolicyRule): CompiledRule | string {
  const tool = match.tool === undefined ? undefined : compileGlob(match.tool);
  if (tool === 'unusable') return 'must be a glob over tool names';
  const { effect } = match;
  return {
    match: {
      ...(tool && { tool }),
      ...(effect !== undefined && { effect: Array.isArray(effect) ? effect : [effect] }),
      ...(match.args && {
        args: Object.entries(match.args).map(([key, pattern]) => ({ key, pattern: new RegExp(pattern) })),
      }),
    },
    decide,
    ...(reason !== undefined && { reason }),
    ...(deadline !== undefined && { deadlineMs: deadline }),
    ...(onDoubt !== undefined && { onDoubt }),
  };
}

function compileGlob(glob: string): ((name: string) => boolean) | 'unusable' {
  try {
    const isMatch = picomatch(glob, { dot: true, strictBrackets: true });
    return (name) => isMatch(name);
  } catch {
    return 'unusable';
  }
}
