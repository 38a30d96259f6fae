/** Every bound of the core in one place. Times in milliseconds, lengths in characters, unless the name says otherwise. */
export const toolRoundLimits = {
  /** Tool names that a refusal lists for the model; the rest is counted. */
  namesListed: 64,
  /** The longest reason that a refusal gives, in characters. */
  reasonLength: 1_500,
} as const;

export const protocolLimits = {
  /**
   * Replies in a row of which nothing could run, all of it for what the model sent. Three strikes are usual elsewhere;
   * a batch that is refused tells what to fix, so a model gets a little longer here.
   */
  failedReplies: 5,
  /**
   * R9: epochs of one call under which its tool may run. Takeovers beyond them stay possible, since a call must always
   * be settled by somebody; they settle and run nothing.
   */
  epochsPerCall: 3,
  /** Late evidence kept per call; a loop that reports for ever must not grow a stream for ever. */
  lateRecordsPerCall: 16,
  /** The longest that an owner waits before it looks at an open turn again, whatever falls due later. */
  lookAgainMs: 5_000,
  /** Protocol 7: a lease's time to live holds at least so many append timers. */
  appendTimersPerTtl: 3,
} as const;
