import type { ServerResponse } from 'node:http';
import { problemStatuses, type Problem, type ProblemCode } from '@writ/contracts';

/** Members beside the standard ones: `field`, `calls`, `decision`, `by`. */
export type ProblemMembers = { readonly [member: string]: unknown };

/** RFC 9457. `detail` is for people: no arguments, no secrets. */
export function problem(code: ProblemCode, detail: string, members: ProblemMembers = {}): Problem {
  const title = code.charAt(0).toUpperCase() + code.slice(1).replaceAll('_', ' ');
  return { ...members, type: `urn:writ:problem:${code}`, title, status: problemStatuses[code], code, detail };
}

export function sendProblem(
  response: ServerResponse,
  body: Problem,
  headers: { readonly [name: string]: string } = {},
): void {
  response.writeHead(body.status, { 'content-type': 'application/problem+json', ...headers });
  response.end(JSON.stringify(body));
}
