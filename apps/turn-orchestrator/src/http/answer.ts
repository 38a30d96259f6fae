import { isRefused, type Refused } from '@writ/runtime';
import { ProblemError } from '@writ/service';

/** A success as it is; a refusal becomes the problem of its code. */
export function answered<T extends object>(answer: T | Refused): T {
  if (!isRefused(answer)) return answer;
  throw new ProblemError(answer.refused, answer.detail, answer.extra);
}
