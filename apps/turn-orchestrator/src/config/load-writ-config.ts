import { writConfigSchema } from '@writ/contracts';
import type { ConfigProblem } from '@writ/protocol';
import { compileConfig, type CompiledConfig } from '@writ/runtime';
import { parseYamlFile } from '@writ/service';

export interface LoadedConfig extends CompiledConfig {
  /** One line with file, line and path, for what shows only later, such as a tool that no pool publishes. */
  problemAt(problem: ConfigProblem): string;
}

/** `problems` are single lines, each with the file, the line and the path in it. */
export type LoadedWritConfig =
  | { readonly ok: true; readonly config: LoadedConfig }
  | { readonly ok: false; readonly problems: readonly string[] };

export function loadWritConfig(text: string, filename: string): LoadedWritConfig {
  const file = parseYamlFile(text, filename, writConfigSchema);
  if (!file.ok) return file;
  const problemAt = ({ path, message }: ConfigProblem) => file.problemAt(path, message);
  const compiled = compileConfig(file.value);
  if (!compiled.ok) return { ok: false, problems: compiled.problems.map(problemAt) };
  return { ok: true, config: { ...compiled.config, problemAt } };
}
