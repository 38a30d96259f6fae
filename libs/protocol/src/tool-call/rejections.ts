/** Why a command on a call is refused, in order of precedence: the first that applies is told. */
export const callRejections = [
  /** The call has its one result; what a person says now is late evidence. */
  'already_settled',
  /** Session, revision or digests of the command are not those of the staged event (R1). */
  'staged_event_must_match',
  'pool_must_match',
  'args_digest_must_match',
  'definition_must_match',
  'approval_must_be_requested',
  'approval_must_be_granted',
  'already_decided',
  'approval_expired',
  'deadline_must_have_passed',
  /** Another holder or a newer epoch: the writer owns the call no longer (A5). */
  'epoch_must_be_current',
  /** A takeover names the lease of somebody who is not the holder. */
  'lease_must_be_the_holders',
  /** R9: no epoch is left under which the tool may run. */
  'epochs_must_not_be_used_up',
  /** R9 forbids this run. */
  'rerun_must_be_allowed',
  'hold_must_be_policy',
  'doubt_must_be_held',
  /** A rerun is ordered only together with the word that the effect did not happen. */
  'rerun_must_be_not_applied',
  /** The owner settles only what nobody runs, or what it has itself taken over. */
  'holder_must_settle',
  'outcome_must_fit_state',
  'effect_must_fit_outcome',
  /** Evidence counts as late only after the result, the decision or the epoch that it missed. */
  'late_must_be_late',
] as const;
export type CallRejection = (typeof callRejections)[number];
