/** How a decision is judged: by its own `decidedAt` and digest, the same live and in replay (protocol 3). */
import type { ApprovalRejection } from './rejections';
import type { ApprovalQuestion } from './state';

export interface ApprovalAnswer {
  readonly answer: 'granted' | 'denied' | 'expired';
  readonly decidedAt: string;
  readonly argsDigest: string;
}

/** `undefined`: the decision stands. Times are RFC 3339 in UTC with milliseconds, which sort as text. */
export function judgeAnswer(
  question: ApprovalQuestion,
  given: ApprovalAnswer,
): ApprovalRejection | undefined {
  if (given.argsDigest !== question.argsDigest) return 'args_digest_must_match';
  if (question.deadline === undefined) return 'approval_must_be_requested';
  const late = given.decidedAt > question.deadline;
  if (given.answer === 'expired') return late ? undefined : 'deadline_must_have_passed';
  return late ? 'approval_expired' : undefined;
}
