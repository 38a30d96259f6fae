import { readFileSync } from 'node:fs';
import type { PublishedTool } from '@writ/contracts';
import { definitionDigest, type Log } from '@writ/runtime';
import { startToolHost, type ToolHost } from '@writ/tool-sdk';
import { loadWritTools } from './config';

export interface StartedTools {
  readonly host: ToolHost;
  readonly pool: string;
  readonly slots: number;
  readonly published: readonly PublishedTool[];
  /** The same by name. */
  readonly tools: ReadonlyMap<string, PublishedTool>;
}

/** Reads `writ.tools.yaml` and starts its tools; what is wrong comes as single lines for a person. */
export async function startTools(options: {
  readonly file: string;
  readonly socketPath: string;
  readonly env: NodeJS.ProcessEnv;
  readonly log: Log;
}): Promise<
  | { readonly ok: true; readonly tools: StartedTools }
  | { readonly ok: false; readonly problems: readonly string[] }
> {
  const { file, ...hosting } = options;
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return {
      ok: false,
      problems: [`WRIT_TOOLS: ${file} cannot be read; name a file that lists the tools of this executor`],
    };
  }
  const loaded = loadWritTools(text, file);
  if (!loaded.ok) return loaded;
  const { pool, slots, modules, builtin } = loaded.tools;
  const started = await startToolHost({ modules, builtin, slots, ...hosting });
  if (!started.ok) return started;
  const { host } = started;
  const published = host.tools.map(publishedTool);
  const tools = new Map(published.map((tool) => [tool.name, tool]));
  return { ok: true, tools: { host, pool, slots, published, tools } };
}

function publishedTool({ hasReadback, hasCheck, ...definition }: ToolHost['tools'][number]): PublishedTool {
  return { ...definition, definitionDigest: definitionDigest(definition), hasReadback, hasCheck };
}
