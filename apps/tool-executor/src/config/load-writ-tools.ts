import { dirname, resolve } from 'node:path';
import { writToolsSchema, type BuiltinTool, type WritTools } from '@writ/contracts';
import { parseYamlFile, type YamlPath } from '@writ/service';

export interface LoadedTools {
  readonly pool: string;
  readonly slots: number;
  /** Absolute paths. */
  readonly modules: readonly string[];
  /** `root` is absolute. */
  readonly builtin?: { readonly root: string; readonly tools: readonly BuiltinTool[] };
}

/** `problems` are single lines, each with the file, the line and the path in it. */
export type LoadedWritTools =
  | { readonly ok: true; readonly tools: LoadedTools }
  | { readonly ok: false; readonly problems: readonly string[] };

/** Paths in the file are relative to the file, so `filename` must be absolute or relative to the working directory. */
export function loadWritTools(text: string, filename: string): LoadedWritTools {
  const file = parseYamlFile(text, filename, writToolsSchema);
  if (!file.ok) return file;
  const { pool, slots, modules, builtin } = file.value;
  const unmounted = notMounted(file.value);
  if (unmounted.length > 0)
    return { ok: false, problems: unmounted.map(({ path, message }) => file.problemAt(path, message)) };
  const here = dirname(resolve(filename));
  return {
    ok: true,
    tools: {
      pool,
      slots,
      modules: modules.map((module) => resolve(here, module)),
      ...(builtin && { builtin: { root: resolve(here, builtin.root), tools: builtin.tools } }),
    },
  };
}

/** What the file format has and this executor does not: refused, since silence would read as mounted. */
function notMounted({ mcp, http }: WritTools): readonly { path: YamlPath; message: string }[] {
  const servers = mcp.map((_, index) => ({
    path: ['mcp', index],
    message: 'MCP servers cannot be mounted yet; remove the entry',
  }));
  const lists = (['allow', 'idempotent'] as const).filter((list) => (http?.[list].length ?? 0) > 0);
  const origins = lists.map((list) => ({
    path: ['http', list],
    message: 'http_get and http_post do not exist yet; leave the list empty',
  }));
  return [...servers, ...origins];
}
