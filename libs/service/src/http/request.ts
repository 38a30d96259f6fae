import type { Problem, ProblemCode } from '@writ/contracts';
import { z } from 'zod';
import { problem, type ProblemMembers } from './problem';

/** An answer that is a problem, on its way through a framework that only passes on what is thrown. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  readonly problem: Problem;

  constructor(code: ProblemCode, detail: string, members: ProblemMembers = {}) {
    super(code);
    this.problem = problem(code, detail, members);
  }
}

/**
 * A body, query or header as its schema has it; the problem names the field and what is allowed, never a value. `whole`
 * is what the value itself is called, for a fault that lies in none of its fields.
 */
export function readRequest<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  whole = 'body',
): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const keys = issue?.code === 'unrecognized_keys' ? issue.keys : [];
  const field = [...(issue?.path ?? []), ...keys.slice(0, 1)].join('.');
  throw new ProblemError('invalid_request', issue?.message ?? 'the request is unreadable', {
    field: field === '' ? whole : field,
  });
}

/** What a framework or a handler threw, as a problem. Undefined where it is a bug, which the caller logs. */
export function problemOf(thrown: unknown): Problem | undefined {
  if (thrown instanceof ProblemError) return thrown.problem;
  const status = statusOf(thrown);
  if (status === 404) return problem('not_found', 'there is nothing at this path');
  if (status === 413) return problem('invalid_request', 'the body is larger than 4 MiB', { field: 'body' });
  if (status !== undefined && status >= 400 && status < 500)
    return problem('invalid_request', 'the body is not valid JSON', { field: 'body' });
  return undefined;
}

/** Nest's errors carry their status in `getStatus`, those of a body parser in `status`. */
const httpErrorSchema = z.union([
  z.object({ status: z.number() }).transform(({ status }) => status),
  z
    .looseObject({ getStatus: z.custom<() => unknown>((value) => typeof value === 'function') })
    .transform((error) => error.getStatus()),
]);

function statusOf(thrown: unknown): number | undefined {
  const status = httpErrorSchema.safeParse(thrown);
  return status.success && typeof status.data === 'number' ? status.data : undefined;
}
