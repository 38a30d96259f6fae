import { configLimits, writConfigSchema, type Budgets, type WritConfig } from '@writ/contracts';
import { checkToolsets, type CompiledPolicy, type ConfigProblem, type ToolsetConfig } from '@writ/protocol';
import { digestOf } from '@writ/runtime';
import { parseYamlFile } from '@writ/service';
import { compilePolicy } from './compile-policy';

export interface LoadedConfig {
  readonly toolsets: ToolsetConfig;
  readonly policy: CompiledPolicy;
  /** Over the rules as parsed; what `SessionOpened` records. */
  readonly policyDigest: string;
  readonly budgets: Budgets;
  readonly model: {
    readonly tries: number;
    readonly timeoutMs: number;
    readonly instructions?: string | undefined;
  };
  readonly compaction: WritConfig['compaction'];
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
  const { toolsets, platforms, policy, onDoubt, model, compaction } = file.value;
  const problemAt = ({ path, message }: ConfigProblem) => file.problemAt(path, message);

  const compiled = compilePolicy({ policy, onDoubt });
  const problems = [...checkToolsets({ toolsets, platforms }), ...(compiled.ok ? [] : compiled.problems)];
  if (!compiled.ok || problems.length > 0) return { ok: false, problems: problems.map(problemAt) };
  return {
    ok: true,
    config: {
      toolsets: { toolsets, platforms },
      policy: compiled.policy,
      policyDigest: digestOf({ policy, onDoubt }),
      budgets: budgetsOf(file.value.budgets),
      model: {
        tries: model.tries,
        timeoutMs: model.timeout ?? configLimits.model.timeoutMs,
        ...(model.instructions !== undefined && { instructions: model.instructions }),
      },
      compaction,
      problemAt,
    },
  };
}

function budgetsOf({ wallTime, roundTime, ...counts }: WritConfig['budgets']): Budgets {
  return {
    ...counts,
    wallTimeMs: wallTime ?? configLimits.budgets.wallTimeMs,
    roundTimeMs: roundTime ?? configLimits.budgets.roundTimeMs,
  };
}
