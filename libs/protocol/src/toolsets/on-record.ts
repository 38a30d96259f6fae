import type { ToolsetsOnRecord } from '@writ/contracts';
import { memberOf, type SessionScope, type ToolsetConfig } from './expand';

/**
 * What of a configuration bears on one session: the toolsets that its own, its disabled ones and its platform lead to,
 * without their descriptions. It gives every tool the row that the whole configuration gives it.
 */
export function toolsetsOnRecord(
  config: ToolsetConfig,
  scope: SessionScope & { readonly toolsets: readonly string[] },
): ToolsetsOnRecord {
  const limits = Object.keys(config.platforms).length > 0;
  const ofPlatform = memberOf(config.platforms, scope.platform)?.toolsets ?? [];
  const toolsets = new Map<string, ToolsetsOnRecord['toolsets'][string]>();
  const open = [...scope.toolsets, ...(scope.disabledToolsets ?? []), ...ofPlatform];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    const toolset = toolsets.has(name) ? undefined : memberOf(config.toolsets, name);
    if (toolset === undefined) continue;
    toolsets.set(name, { tools: [...toolset.tools], includes: [...toolset.includes] });
    open.push(...toolset.includes);
  }
  return {
    toolsets: Object.fromEntries([...toolsets].sort(([left], [right]) => (left < right ? -1 : 1))),
    platforms: limits ? { [scope.platform]: { toolsets: [...ofPlatform] } } : {},
  };
}
