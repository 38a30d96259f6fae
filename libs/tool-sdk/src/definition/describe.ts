import { isFields } from '../wire/fields';
import { inputSchemaFrom } from './input-schema';
import { toolKeys } from './tool';

/** A tool as data, before it is judged: what could not be data is named by its type. */
export interface Described {
  readonly file: string;
  readonly export: string;
  readonly fields: { readonly [key: string]: unknown };
  /** The type of what stands at `run`, `readback` and `check`. */
  readonly functions: { readonly [key: string]: string };
  readonly unknownKeys: readonly string[];
  readonly inputProblem?: string | undefined;
}

const functionKeys = ['run', 'readback', 'check'] as const;

/** Runs where the tool's code runs; needs neither the tool to be right nor zod to be loaded. */
export async function describeTool(
  tool: object,
  from: { readonly file: string; readonly export: string },
): Promise<Described> {
  const read = (key: string): unknown => Reflect.get(tool, key);
  const input = await inputSchemaFrom(read('input'));
  const fields: { [key: string]: unknown } = {};
  for (const key of toolKeys) {
    if (functionKeys.some((name) => name === key)) continue;
    const value = key === 'input' ? (input.ok ? input.schema : undefined) : read(key);
    if (value !== undefined) fields[key] = asData(value);
  }
  return {
    file: from.file,
    export: from.export,
    fields,
    functions: Object.fromEntries(functionKeys.map((key) => [key, typeof read(key)])),
    unknownKeys: Object.keys(tool).filter((key) => !toolKeys.some((known) => known === key)),
    ...(input.ok ? {} : { inputProblem: input.why }),
  };
}

/** A module's tools: all its exports, single or in an array, that have `name` and `run`. */
export function toolsIn(namespace: object): { readonly export: string; readonly tool: object }[] {
  return Object.entries(namespace).flatMap(([name, value]: [string, unknown]) => {
    const items: readonly (readonly [string, unknown])[] = Array.isArray(value)
      ? value.map((item: unknown, index) => [`${name}[${index}]`, item] as const)
      : [[name, value]];
    return items.flatMap(([at, item]) =>
      isFields(item) && isTool(item) ? [{ export: at, tool: item }] : [],
    );
  });
}

const isTool = (value: object): boolean => 'name' in value && 'run' in value;

/** Through JSON, as it will travel; what JSON has no word for becomes a record that no field allows. */
function asData(value: unknown): unknown {
  try {
    const text: string | undefined = JSON.stringify(value);
    return text === undefined ? { notData: typeof value } : JSON.parse(text);
  } catch {
    return { notData: typeof value };
  }
}
