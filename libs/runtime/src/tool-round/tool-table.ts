import type { ToolTable } from '@writ/contracts';
import {
  toolTable,
  visibleTools,
  type PoolManifest,
  type SessionScope,
  type ToolRow,
  type ToolsetConfig,
} from '@writ/protocol';
import { digestOf } from '../digest';
import type { SchemaValidation } from '../schema-validation';

export interface TableInput {
  readonly config: ToolsetConfig;
  readonly scope: SessionScope;
  readonly manifests: readonly PoolManifest[];
  readonly validation: SchemaValidation;
}

/** The session's tool table, with tools whose schema does not compile made invisible. */
export function usableTable({ validation, ...input }: TableInput): readonly ToolRow[] {
  const unusable = new Map<string, string>();
  for (const tool of input.manifests.flatMap((manifest) => manifest.tools)) {
    const problem = validation.problemOf(tool);
    if (problem !== undefined) unusable.set(tool.definitionDigest, problem);
  }
  return toolTable({ ...input, unusable });
}

/** Over what the model is shown: names, definitions and pools of the visible tools, in order. */
export const toolTableDigest = (rows: readonly ToolRow[]): string =>
  digestOf(visibleTools(rows).map(({ name, definitionDigest, pool }) => ({ name, definitionDigest, pool })));

/** The answer of `GET …/tools`. */
export const toolTableBody = (rows: readonly ToolRow[]): ToolTable => ({
  digest: toolTableDigest(rows),
  tools: rows.map(({ tool, visible, reason }) => ({
    name: tool.name,
    visible,
    reason,
    effectClass: tool.effectClass,
    definitionDigest: tool.definitionDigest,
  })),
});
