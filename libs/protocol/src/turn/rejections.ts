/** Why a command on a session is refused, in order of precedence: the first that applies is told. */
export const sessionRejections = [
  'session_must_be_open',
  'idempotency_key_reused',
  /** The writer does not hold the session, or not any more (A5, I7). */
  'lease_must_be_current',
  'turn_in_progress',
  'earlier_calls_open',
  /** A takeover from a holder that did not release names the event that ended the holder's lease. */
  'lease_must_have_ended',
  'turn_must_be_open',
  'step_must_be_next',
  'steps_must_fit_budget',
  /** A3: the message names the result of every call of the step before, in call order. */
  'results_must_be_complete',
  'calls_must_be_staged_in_order',
  /** R5: a refused call has its result in the same append, no other call has. */
  'refusals_must_have_results',
  'calls_must_be_open',
  /** A completed turn has no open call, and the last reply asked for none. */
  'calls_must_be_settled',
  /** R13. */
  'compaction_must_keep_rounds_whole',
] as const;
export type SessionRejection = (typeof sessionRejections)[number];
