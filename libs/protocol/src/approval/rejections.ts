/** Why a person's decision is refused, in order of precedence. */
export const approvalRejections = [
  'args_digest_must_match',
  'approval_must_be_requested',
  'approval_expired',
  'deadline_must_have_passed',
] as const;
export type ApprovalRejection = (typeof approvalRejections)[number];
