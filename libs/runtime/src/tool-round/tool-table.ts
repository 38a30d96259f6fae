import type { PublishedTool, ToolTable } from '@writ/contracts';
import {
  toolTable,
  visibleTools,
  type PoolManifest,
  type SessionScope,
  type ToolRow,
  type ToolsetConfig,
} from '@writ/protocol';
import { digestOf } from '../digest';
import { definitionDigest, type SchemaValidation } from '../schema-validation';

export interface TableInput {
  readonly config: ToolsetConfig;
  readonly scope: SessionScope;
  readonly manifests: readonly PoolManifest[];
  readonly validation: SchemaValidation;
}

/**
 * The session's tool table. A tool is made invisible if its schema does not compile, or if its published digest is not
 * that of its definition: what is staged under that digest would be something else than what was validated.
 */
export function usableTable({ validation, ...input }: TableInput): readonly ToolRow[] {
  // A name that more than one pool publishes is never asked about, so that names will do.
  const untrue = new Set(
    input.manifests.flatMap(({ tools }) =>
      tools.filter((tool) => !isTrueToItsDigest(tool)).map(({ name }) => name),
    ),
  );
  const problemOf = (tool: PublishedTool): string | undefined => {
    if (untrue.has(tool.name)) return 'its digest is not that of its definition';
    const problem = validation.problemOf(tool);
    return problem && `its input schema cannot be used: ${problem}`;
  };
  return toolTable({ ...input, problemOf });
}

/** A published tool never changes, and a table is made at every step: its digest is made once. */
const judged = new WeakMap<PublishedTool, boolean>();

function isTrueToItsDigest(tool: PublishedTool): boolean {
  const known = judged.get(tool);
  if (known !== undefined) return known;
  const isTrue = definitionDigest(tool) === tool.definitionDigest;
  judged.set(tool, isTrue);
  return isTrue;
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
