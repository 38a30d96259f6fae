import {
  concurrencySchema,
  effectClassSchema,
  jsonSchema,
  toolNameSchema,
  type ToolDefinition,
} from '@writ/contracts';
import { z } from 'zod';
import { limits } from '../limits';
import type { Described } from './describe';
import { toolKeys } from './tool';

/** A tool without its functions. The runtime hashes the definition; the two flags are not part of it. */
export interface LoadedTool extends ToolDefinition {
  readonly hasReadback: boolean;
  readonly hasCheck: boolean;
}

export type Judged =
  | { readonly ok: true; readonly tools: readonly LoadedTool[] }
  /** One line each: file, export, tool, field, what is allowed. */
  | { readonly ok: false; readonly problems: readonly string[] };

/** What a tool process says about the modules that it has loaded. */
export const describedSchema = z.object({
  tools: z.array(
    z.object({
      file: z.string(),
      export: z.string(),
      fields: z.record(z.string(), z.unknown()),
      functions: z.record(z.string(), z.string()),
      unknownKeys: z.array(z.string()),
      inputProblem: z.string().optional(),
    }),
  ),
  problems: z.array(z.string()),
});

const fieldsSchema = z.object({
  name: toolNameSchema,
  description: z.string().max(limits.descriptionChars),
  input: z
    .record(z.string(), jsonSchema)
    .refine((schema) => schema['type'] === undefined || schema['type'] === 'object', {
      message: 'the arguments of a tool are an object: "type" must be "object"',
    })
    .refine((schema) => Buffer.byteLength(JSON.stringify(schema)) <= limits.schemaBytes, {
      message: `a schema of at most ${limits.schemaBytes} bytes is allowed`,
    }),
  effect: effectClassSchema,
  concurrency: concurrencySchema.default('exclusive'),
  timeoutMs: z.number().int().positive().max(limits.timeoutMs).default(60_000),
  fenced: z.boolean().default(false),
  delegate: z.boolean().default(false),
  version: z.string().min(1).max(100).default('1'),
});

const allowed: { readonly [field: string]: string } = {
  name: 'allowed: ^[a-zA-Z0-9_-]{1,64}$',
  effect: 'allowed: read, idempotent, reconcilable, irreversible',
  concurrency: "allowed: 'parallel', 'exclusive' or { reads?, writes? } with JSON Pointers",
  timeoutMs: `allowed: a whole number of milliseconds from 1 to ${limits.timeoutMs}`,
  version: 'allowed: a text of 1 to 100 characters',
};

/** Judges what was loaded, all of it, so that an author sees every problem at once. */
export function judgeTools(described: {
  readonly tools: readonly Described[];
  readonly problems: readonly string[];
}): Judged {
  const problems = [...described.problems];
  const tools: LoadedTool[] = [];
  const places = new Map<string, string>();
  for (const one of described.tools) {
    const judged = judgeTool(one);
    problems.push(...judged.problems);
    if (judged.tool === undefined) continue;
    const other = places.get(judged.tool.name);
    if (other !== undefined)
      problems.push(`${whereOf(one)}: name: a tool of this name is in ${other} as well`);
    places.set(judged.tool.name, `${one.file}, export ${one.export}`);
    tools.push(judged.tool);
  }
  return problems.length > 0 ? { ok: false, problems } : { ok: true, tools };
}

function judgeTool(described: Described): {
  readonly tool?: LoadedTool;
  readonly problems: readonly string[];
} {
  const where = whereOf(described);
  const problems = described.unknownKeys.map(
    (key) => `${where}: ${key}: unknown field; allowed: ${toolKeys.join(', ')}`,
  );
  if (described.inputProblem !== undefined) problems.push(`${where}: input: ${described.inputProblem}`);
  const parsed = fieldsSchema.safeParse(described.fields);
  for (const issue of parsed.error?.issues ?? []) {
    const [field = ''] = issue.path.map(String);
    if (field === 'input' && described.inputProblem !== undefined) continue;
    const hint = allowed[field] === undefined ? '' : ` (${allowed[field]})`;
    problems.push(`${where}: ${issue.path.join('.')}: ${issue.message}${hint}`);
  }
  const { run, readback = 'undefined', check = 'undefined' } = described.functions;
  if (run !== 'function') problems.push(`${where}: run: must be a function, found ${run}`);
  for (const [key, type] of Object.entries({ readback, check })) {
    if (type !== 'function' && type !== 'undefined')
      problems.push(`${where}: ${key}: must be a function, found ${type}`);
  }
  if (parsed.data?.effect === 'reconcilable' && readback === 'undefined') {
    problems.push(`${where}: readback: a reconcilable tool must have one`);
  }
  if (problems.length > 0 || parsed.data === undefined) return { problems };
  const { input: inputSchema, effect: effectClass, ...rest } = parsed.data;
  return {
    tool: {
      ...rest,
      inputSchema,
      effectClass,
      hasReadback: readback === 'function',
      hasCheck: check === 'function',
    },
    problems,
  };
}

function whereOf(described: Described): string {
  const name = described.fields['name'];
  return `${described.file}, export ${described.export}${typeof name === 'string' ? ` (tool ${name})` : ''}`;
}
