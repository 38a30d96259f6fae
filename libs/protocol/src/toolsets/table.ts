import type { EventData, PublishedTool } from '@writ/contracts';
import { platformCeiling, toolsetsInForce, toolsOf, type SessionScope, type ToolsetConfig } from './expand';

/** What one pool publishes at the moment. */
export type PoolManifest = Pick<EventData<'ToolManifestPublished'>, 'pool' | 'tools'>;

/** A tool that the model is shown, and the pool that runs it. */
export type VisibleTool = PublishedTool & { readonly pool: string };

/** One known tool and why the session sees it or not. A name that several pools publish has one row, the first pool's. */
export interface ToolRow {
  readonly tool: VisibleTool;
  readonly visible: boolean;
  readonly reason: string;
}

export interface ToolTableInput {
  readonly config: ToolsetConfig;
  readonly scope: SessionScope;
  readonly manifests: readonly PoolManifest[];
  /** Why a tool cannot be used as it is published, in one line: found at the edge, where schemas compile. */
  readonly problemOf?: (tool: PublishedTool) => string | undefined;
}

/** Every published tool with its visibility, sorted by name (by UTF-16 units, the same everywhere). */
export function toolTable(input: ToolTableInput): readonly ToolRow[] {
  const judge = visibilityFor(input);
  return [...byName(input.manifests)]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .flatMap(([, published]) => {
      const [tool] = published;
      return tool === undefined ? [] : [{ tool, ...judge(tool, published) }];
    });
}

/** What the model is shown. */
export const visibleTools = (rows: readonly ToolRow[]): readonly VisibleTool[] =>
  rows.filter((row) => row.visible).map((row) => row.tool);

type Visibility = Pick<ToolRow, 'visible' | 'reason'>;

/** The order of these questions is fixed: what is disabled stays invisible, whatever else holds. */
function visibilityFor({ config, scope, problemOf }: ToolTableInput) {
  const disabled = toolsOf(config, scope.disabledToolsets ?? []);
  const granted = toolsOf(config, toolsetsInForce(config, scope));
  const ceiling = platformCeiling(config, scope.platform);
  const hidden = (reason: string): Visibility => ({ visible: false, reason });

  return (tool: VisibleTool, published: readonly VisibleTool[]): Visibility => {
    const disabledBy = disabled.get(tool.name);
    if (disabledBy !== undefined) return hidden(`toolset ${disabledBy} is disabled`);
    if (published.length > 1) return hidden(ambiguity(published));
    const problem = problemOf?.(tool);
    if (problem !== undefined) return hidden(problem);
    const grantedBy = granted.get(tool.name);
    if (grantedBy === undefined) return hidden('in no toolset of this session');
    if (ceiling !== undefined && !ceiling.has(tool.name))
      return hidden(`platform ${scope.platform} does not include it`);
    return { visible: true, reason: `toolset ${grantedBy}` };
  };
}

/** Even equal definitions are ambiguous: nothing says which pool's world the call is meant for. */
function ambiguity(published: readonly VisibleTool[]): string {
  const pools = [...new Set(published.map((tool) => tool.pool))].sort();
  return pools.length === 1
    ? `published twice by pool ${pools.join()}`
    : `published by more than one pool: ${pools.join(', ')}`;
}

function byName(manifests: readonly PoolManifest[]): ReadonlyMap<string, readonly VisibleTool[]> {
  const names = new Map<string, VisibleTool[]>();
  const pools = [...manifests].sort((left, right) => (left.pool < right.pool ? -1 : 1));
  for (const { pool, tools } of pools)
    for (const tool of tools) names.set(tool.name, [...(names.get(tool.name) ?? []), { ...tool, pool }]);
  return names;
}
