import { memberOf, type SessionScope, type ToolsetConfig } from './expand';

/** Something wrong at a place of a file or a request body. */
export interface ConfigProblem {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** Unknown names and cycles among toolsets and platforms, and aliases that mean nothing. */
export function checkToolsets(config: ToolsetConfig): readonly ConfigProblem[] {
  return [...unknownIncludes(config), ...cycles(config), ...unknownOnPlatforms(config), ...aliases(config)];
}

/** What a request to open a session gets wrong: toolsets and platforms that the configuration does not have. */
export function checkSessionScope(config: ToolsetConfig, scope: SessionScope): readonly ConfigProblem[] {
  const problems = [
    ...unknownToolsets(config, scope.toolsets ?? [], ['toolsets']),
    ...unknownToolsets(config, scope.disabledToolsets ?? [], ['disabledToolsets']),
  ];
  const anyPlatform = Object.keys(config.platforms).length > 0;
  if (anyPlatform && memberOf(config.platforms, scope.platform) === undefined)
    problems.push({ path: ['platform'], message: 'unknown platform' });
  return problems;
}

/**
 * Tools that a toolset names and no pool publishes. Whether that is an error is the caller's to say: a pool's executors
 * may start later than the orchestrator.
 */
export function unpublishedTools(
  config: ToolsetConfig,
  published: ReadonlySet<string>,
): readonly ConfigProblem[] {
  return Object.entries(config.toolsets).flatMap(([name, toolset]) =>
    toolset.tools.flatMap((tool, index) =>
      published.has(tool)
        ? []
        : [
            {
              path: ['toolsets', name, 'tools', index],
              message: `unknown tool ${tool}: no pool publishes it`,
            },
          ],
    ),
  );
}

function unknownToolsets(
  config: ToolsetConfig,
  names: readonly string[],
  at: readonly (string | number)[],
): ConfigProblem[] {
  return names.flatMap((name, index) =>
    memberOf(config.toolsets, name) === undefined
      ? [{ path: [...at, index], message: `unknown toolset ${JSON.stringify(name)}` }]
      : [],
  );
}

const unknownIncludes = (config: ToolsetConfig): ConfigProblem[] =>
  Object.entries(config.toolsets).flatMap(([name, toolset]) =>
    unknownToolsets(config, toolset.includes, ['toolsets', name, 'includes']),
  );

const unknownOnPlatforms = (config: ToolsetConfig): ConfigProblem[] =>
  Object.entries(config.platforms).flatMap(([name, platform]) =>
    unknownToolsets(config, platform.toolsets, ['platforms', name, 'toolsets']),
  );

/** An alias of an alias is none: a name means one tool, and a reader of the file sees which. */
function aliases(config: ToolsetConfig): ConfigProblem[] {
  const tools = new Set(Object.values(config.toolsets).flatMap((toolset) => toolset.tools));
  return Object.entries(config.aliases ?? {}).flatMap(([name, tool]) => {
    const path = ['aliases', name];
    if (tools.has(name)) return [{ path, message: 'is the name of a tool, so it would never be an alias' }];
    return tools.has(tool) ? [] : [{ path, message: `no toolset has a tool ${tool}` }];
  });
}

/** Every include by which a toolset comes back to itself. */
function cycles(config: ToolsetConfig): ConfigProblem[] {
  return Object.entries(config.toolsets).flatMap(([name, toolset]) =>
    toolset.includes.flatMap((included, index) => {
      const way = wayTo(config, included, name);
      return way === undefined
        ? []
        : [
            {
              path: ['toolsets', name, 'includes', index],
              message: `includes itself: ${[name, ...way].join(' > ')}`,
            },
          ];
    }),
  );
}

/** The shortest way along includes, both ends included. */
function wayTo(config: ToolsetConfig, from: string, to: string): readonly string[] | undefined {
  const seen = new Set([from]);
  const open: string[][] = [[from]];
  for (let way = open.shift(); way !== undefined; way = open.shift()) {
    const last = way[way.length - 1] ?? from;
    if (last === to) return way;
    for (const next of memberOf(config.toolsets, last)?.includes ?? []) {
      if (seen.has(next)) continue;
      seen.add(next);
      open.push([...way, next]);
    }
  }
  return undefined;
}
