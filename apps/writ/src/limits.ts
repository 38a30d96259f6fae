/** Bounds of the command line. Times in milliseconds. */
export const commandLimits = {
  /** How long one answer of the store may take before it counts as out of reach. */
  answerMs: 5_000,
  /** How long an append may be repeated until its outcome is known. */
  resolveMs: 15_000,
  /** Sessions listed unless more are asked for. */
  sessions: 50,
} as const;
