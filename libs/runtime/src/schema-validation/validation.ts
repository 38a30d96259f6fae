import type { Json, PublishedTool } from '@writ/contracts';
import type { SchemaVerdict } from '@writ/protocol';
import { Ajv, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { keptText } from '../arguments';
import { schemaLimits } from '../limits';
import { faultsText } from './faults';

type SchemaOf = Pick<PublishedTool, 'definitionDigest' | 'inputSchema'>;

export interface SchemaValidation {
  /** Why the tool's schema cannot be used, in one line, or undefined. */
  problemOf(tool: SchemaOf): string | undefined;
  /** Never changes `args`. A schema that cannot be used accepts nothing. */
  validate(tool: SchemaOf, args: { readonly [key: string]: Json }): SchemaVerdict;
}

type Compiled =
  | { readonly ok: true; readonly validate: ValidateFunction }
  | { readonly ok: false; readonly problem: string };

/** Compiles each definition once and keeps `limits.compiled` of them. */
export function schemaValidation(limits: { readonly compiled: number } = schemaLimits): SchemaValidation {
  const compile = compiler();
  /** In order of use, the latest last. */
  const compiled = new Map<string, Compiled>();

  const compiledFor = (tool: SchemaOf): Compiled => {
    const entry = compiled.get(tool.definitionDigest) ?? compile(tool.inputSchema);
    compiled.delete(tool.definitionDigest);
    compiled.set(tool.definitionDigest, entry);
    const [oldest] = compiled.keys();
    if (compiled.size > limits.compiled && oldest !== undefined) compiled.delete(oldest);
    return entry;
  };

  return {
    problemOf: (tool) => {
      const entry = compiledFor(tool);
      return entry.ok ? undefined : entry.problem;
    },
    validate: (tool, args) => {
      const entry = compiledFor(tool);
      if (!entry.ok) return { ok: false, message: `the tool's schema cannot be used: ${entry.problem}` };
      return entry.validate(args)
        ? { ok: true }
        : { ok: false, message: faultsText(entry.validate.errors ?? []) };
    },
  };
}

/** The schemas are foreign: unknown keywords are let be, but inherited members never count as the arguments' own. */
const options = {
  strict: false,
  allErrors: true,
  ownProperties: true,
  logger: false,
} as const;

const latest = (): Ajv => addFormats(new Ajv2020(options));
const older = (): Ajv => addFormats(new Ajv(options));
const isOlder = (schema: SchemaOf['inputSchema']): boolean =>
  /^https?:\/\/json-schema\.org\/draft-07\/schema#?$/.test(String(schema['$schema']));

/** JSON Schema 2020-12, and draft-07 for a schema that says so: many generators still do. Any other draft is unknown. */
function compiler(): (schema: SchemaOf['inputSchema']) => Compiled {
  const shared = { latest: latest(), older: older() };
  return (schema) => {
    // A schema with an id of its own could take the place of another, the dialect's own included: it gets its own world.
    const own = schema['$id'] !== undefined;
    const ajv = isOlder(schema) ? (own ? older() : shared.older) : own ? latest() : shared.latest;
    try {
      // An asynchronous schema would answer with a promise, which is true whatever the arguments.
      if (schema['$async'] === true) return { ok: false, problem: 'it is asynchronous' };
      return { ok: true, validate: ajv.compile(schema) };
    } catch (error) {
      return { ok: false, problem: oneLine(error) };
    } finally {
      // Ajv remembers every schema that it has seen; how many stay is decided above.
      if (!own) ajv.removeSchema(schema);
    }
  };
}

function oneLine(error: unknown): string {
  const text = error instanceof Error ? error.message : 'it does not compile';
  return keptText(text.replace(/\p{Cc}+/gu, ' '), schemaLimits.faultCharacters);
}
