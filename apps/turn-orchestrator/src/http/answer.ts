import { idSchema } from '@writ/contracts';
import { isRefused, type Refused } from '@writ/runtime';
import { ProblemError } from '@writ/service';

/** A success as it is; a refusal becomes the problem of its code. */
export function answered<T extends object>(answer: T | Refused): T {
  if (!isRefused(answer)) return answer;
  throw new ProblemError(answer.refused, answer.detail, answer.extra);
}

/** An id of a path; one that no id of ours can be is simply not there. */
export function pathId(text: string): string {
  const id = idSchema.safeParse(text);
  if (id.success) return id.data;
  throw new ProblemError('not_found', 'there is nothing under this id');
}
