import { readFileSync } from 'node:fs';
import { writConfigSchema, type PolicyRule } from '@writ/contracts';
import { checkSessionScope, type CompiledPolicy } from '@writ/protocol';
import { compileConfig } from '@writ/runtime';
import { parseYamlFile } from '@writ/service';

/** The policy of a configuration file, compiled as the orchestrator compiles it, and where its rules stand. */
export interface PolicyFile {
  readonly filename: string;
  readonly policy: CompiledPolicy;
  readonly rules: readonly PolicyRule[];
  /** Of a rule, from 1 on. */
  lineOfRule(place: number): number;
  /** What is wrong with a platform, undefined where nothing is. */
  problemOfPlatform(platform: string): string | undefined;
}

/** One line per problem. */
export type Problems = { readonly ok: false; readonly problems: readonly string[] };

export function readPolicy(filename: string): { readonly ok: true; readonly file: PolicyFile } | Problems {
  const text = textOf(filename);
  if (text === undefined)
    return { ok: false, problems: [`${filename} cannot be read; name the configuration with --config`] };
  const file = parseYamlFile(text, filename, writConfigSchema);
  if (!file.ok) return file;
  const compiled = compileConfig(file.value);
  if (!compiled.ok)
    return {
      ok: false,
      problems: compiled.problems.map(({ path, message }) => file.problemAt(path, message)),
    };
  const { policy, toolsets } = compiled.config;
  return {
    ok: true,
    file: {
      filename,
      policy,
      rules: file.value.policy,
      lineOfRule: (place) => file.lineOf(['policy', place]),
      problemOfPlatform: (platform) => checkSessionScope(toolsets, { platform })[0]?.message,
    },
  };
}

/** Undefined where there is nothing to read. */
export function textOf(filename: string): string | undefined {
  try {
    return readFileSync(filename, 'utf8');
  } catch {
    return undefined;
  }
}
