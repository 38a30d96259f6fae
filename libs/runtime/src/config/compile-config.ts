import { configLimits, type Budgets, type WritConfig } from '@writ/contracts';
import { checkToolsets, type CompiledPolicy, type ConfigProblem, type ToolsetConfig } from '@writ/protocol';
import { digestOf } from '../digest';
import { compilePolicy } from './compile-policy';

/** `writ.config.yaml` as the runtime needs it. */
export interface CompiledConfig {
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
}

export type ConfigCompilation =
  | { readonly ok: true; readonly config: CompiledConfig }
  | { readonly ok: false; readonly problems: readonly ConfigProblem[] };

/** Checks what a schema cannot, and compiles patterns once. */
export function compileConfig(config: WritConfig): ConfigCompilation {
  const { policy, onDoubt, model, compaction, platforms, aliases } = config;
  const toolsets = { toolsets: config.toolsets, platforms, ...(aliases && { aliases }) };
  const compiled = compilePolicy({ policy, platforms, onDoubt });
  const problems = [...checkToolsets(toolsets), ...(compiled.ok ? [] : compiled.problems)];
  if (!compiled.ok || problems.length > 0) return { ok: false, problems };
  return {
    ok: true,
    config: {
      toolsets,
      policy: compiled.policy,
      policyDigest: digestOf({ policy, onDoubt }),
      budgets: budgetsOf(config.budgets),
      model: {
        tries: model.tries,
        timeoutMs: model.timeout ?? configLimits.model.timeoutMs,
        ...(model.instructions !== undefined && { instructions: model.instructions }),
      },
      compaction,
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
