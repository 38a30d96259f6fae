import type { WritConfig } from '@writ/contracts';

export interface ToolsetConfig extends Pick<WritConfig, 'toolsets' | 'platforms'> {
  /** Former names of tools; they are never shown, only understood. */
  readonly aliases?: WritConfig['aliases'];
}

/** What a session asked for when it was opened. */
export interface SessionScope {
  readonly platform: string;
  /** Without it: those of the platform. */
  readonly toolsets?: readonly string[] | undefined;
  readonly disabledToolsets?: readonly string[] | undefined;
}

/** A member of a configuration record; an inherited name such as `constructor` is none. */
export const memberOf = <T>(record: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(record, name) ? record[name] : undefined;

/**
 * The tools of the named toolsets, includes followed, each with the named toolset that brings it (the first one).
 * An unknown name adds nothing and a cycle ends where it closes: `checkToolsets` reports both before anything runs.
 */
export function toolsOf(config: ToolsetConfig, names: readonly string[]): ReadonlyMap<string, string> {
  const broughtBy = new Map<string, string>();
  for (const name of names) {
    const seen = new Set<string>();
    const open = [name];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const toolset = seen.has(next) ? undefined : memberOf(config.toolsets, next);
      seen.add(next);
      for (const tool of toolset?.tools ?? []) if (!broughtBy.has(tool)) broughtBy.set(tool, name);
      open.push(...(toolset?.includes ?? []));
    }
  }
  return broughtBy;
}

/** The toolsets that a session gets: its own choice, else its platform's. */
export function toolsetsInForce(config: ToolsetConfig, scope: SessionScope): readonly string[] {
  return scope.toolsets ?? memberOf(config.platforms, scope.platform)?.toolsets ?? [];
}

/**
 * The tools that the platform lets its sessions see, or undefined where the configuration has no platforms at all and
 * so sets no such limit. A platform that it does not name lets nothing through.
 */
export function platformCeiling(
  config: ToolsetConfig,
  platform: string,
): ReadonlyMap<string, string> | undefined {
  if (Object.keys(config.platforms).length === 0) return undefined;
  return toolsOf(config, memberOf(config.platforms, platform)?.toolsets ?? []);
}
