import { pathToFileURL } from 'node:url';
import type { BuiltinOptions } from '../builtin';
import { cutText } from '../wire/text';
import { limits } from '../limits';
import type { Described } from './describe';
import { describeTool, toolsIn } from './describe';

export interface ToLoad {
  /** Absolute paths. */
  readonly modules: readonly string[];
  readonly builtin?: BuiltinOptions;
}

export interface Loaded {
  /** The tools with their functions, by name; of two with one name the first. */
  readonly byName: ReadonlyMap<string, object>;
  readonly described: { readonly tools: readonly Described[]; readonly problems: readonly string[] };
}

/** Imports the modules into this process, which runs their code. One module's failure does not hide another's. */
export async function importTools(
  toLoad: ToLoad,
  onImport: (module: string) => void = () => {},
): Promise<Loaded> {
  const byName = new Map<string, object>();
  const seen = new Set<object>();
  const tools: Described[] = [];
  const problems: string[] = [];
  const sources: readonly { readonly file: string; load(): Promise<object> }[] = [
    ...toLoad.modules.map((file) => ({
      file,
      load: async (): Promise<object> => namespaceOf(await import(pathToFileURL(file).href)),
    })),
    ...(toLoad.builtin ? [builtinSource(toLoad.builtin)] : []),
  ];
  for (const { file, load } of sources) {
    onImport(file);
    try {
      const found = toolsIn(await load());
      if (found.length === 0) problems.push(`${file}: exports no tool: an object with at least name and run`);
      for (const { export: at, tool } of found) {
        // A tool that is exported twice, by name and as default, is one tool.
        if (seen.has(tool)) continue;
        seen.add(tool);
        const described = await describeTool(tool, { file, export: at });
        tools.push(described);
        const name = described.fields['name'];
        if (typeof name === 'string' && !byName.has(name)) byName.set(name, tool);
      }
    } catch (error) {
      const why = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
      problems.push(`${file}: cannot be loaded: ${cutText(why, limits.messageChars)}`);
    }
  }
  return { byName, described: { tools, problems } };
}

const namespaceOf = (imported: unknown): object =>
  typeof imported === 'object' && imported !== null ? imported : {};

function builtinSource(options: BuiltinOptions): { readonly file: string; load(): Promise<object> } {
  return {
    file: 'builtin',
    load: async () => {
      const { builtinTools } = await import('../builtin/index.js');
      return builtinTools(options);
    },
  };
}
