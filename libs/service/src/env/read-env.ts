import { z } from 'zod';

type Variables = { readonly [name: string]: string | undefined };
export type EnvReading<Env> =
  | { readonly ok: true; readonly env: Env }
  /** For a person: names the variable, what was found (never a secret) and what is allowed. */
  | { readonly ok: false; readonly line: string };

/** Exit code of a process whose settings are wrong. */
export const wrongUsage = 2;

/** The settings, or the end of the process: one line on stderr and exit code 2. */
export function readEnv<Schema extends z.ZodType>(schema: Schema, variables: Variables): z.output<Schema> {
  const reading = parseEnv(schema, variables);
  if (reading.ok) return reading.env;
  process.stderr.write(`${reading.line}\n`);
  return process.exit(wrongUsage);
}

/** An empty variable counts as not set: that is how compose files and CI pass what nobody set. */
export function parseEnv<Schema extends z.ZodType>(
  schema: Schema,
  variables: Variables,
): EnvReading<z.output<Schema>> {
  const set = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ''));
  const parsed = schema.safeParse(set);
  if (parsed.success) return { ok: true, env: parsed.data };
  const issue = parsed.error.issues[0];
  return { ok: false, line: issue === undefined ? 'The settings are wrong.' : explain(schema, issue, set) };
}

function explain(schema: z.ZodType, issue: z.core.$ZodIssue, variables: Variables): string {
  const name = String(issue.path[0] ?? '');
  const field = fieldOf(schema, name);
  const notes = field === undefined ? undefined : notesOf(field);
  const allowed = issue.code === 'custom' ? issue.message : (notes?.description ?? issue.message);
  return `${name}: ${found(variables[name], notes?.['secret'] === true)}; allowed: ${allowed}`;
}

function found(value: string | undefined, isSecret: boolean): string {
  if (value === undefined) return 'not set';
  return isSecret ? 'found a value that is not shown' : `found ${JSON.stringify(value.slice(0, 80))}`;
}

/** The schema of one variable, through what wraps the object that holds it. */
function fieldOf(schema: unknown, name: string): z.ZodType | undefined {
  if (schema instanceof z.ZodIntersection)
    return fieldOf(schema.def.left, name) ?? fieldOf(schema.def.right, name);
  if (schema instanceof z.ZodPipe) return fieldOf(schema.def.in, name);
  const field: unknown = schema instanceof z.ZodObject ? schema.shape[name] : undefined;
  return field instanceof z.ZodType ? field : undefined;
}

/** A description stays with the schema that it was given to, so look inside a later `optional` or `default`. */
function notesOf(field: z.ZodType): z.core.GlobalMeta | undefined {
  const own = field.meta();
  if (own !== undefined) return own;
  const isWrapper = field instanceof z.ZodOptional || field instanceof z.ZodDefault;
  const inner: unknown = isWrapper ? field.def.innerType : undefined;
  return inner instanceof z.ZodType ? notesOf(inner) : undefined;
}
