/** Every bound of the simulation in one place. Times in virtual milliseconds unless the name says otherwise. */
export const simulationLimits = {
  appendTimeoutMs: 1_500,
  resolveMs: 4_000,
  ttlMs: 5_000,
  commitGraceMs: 3_000,
  unclaimedMs: 12_000,
  approvalDeadlineMs: 6_000,
  toolTimeoutMs: 4_000,
  /** How long the faults of a seed last. */
  safety: { leastMs: 10_000, mostMs: 25_000 },
  /** How long everything may take to settle once nothing fails any more. */
  livenessMs: 240_000,
  /** What a seed must have had to count. */
  least: { sessions: 3, calls: 10, faults: 3 },
  /** Turns of one client, however little came of them. */
  turnsAtMost: 8,
  /** A client's patience with one request. */
  requestMs: 8_000,
  budgets: {
    steps: 6,
    callsPerTurn: 40,
    callsPerBatch: 8,
    wallTimeMs: 90_000,
    roundTimeMs: 40_000,
    delegates: 3,
  },
  model: { tries: 3, timeoutMs: 10_000 },
  /** Seeds: of one command by default, of one worker's portion, and the least whose table may not have a zero. */
  seeds: { default: 2_000, portion: 50, fullTable: 2_000, most: 10_000_000 },
  /** Deliberate bugs: real milliseconds that a thread has, of itself and of each of its seeds. */
  teeth: { threadMs: 60_000, seedMs: 5_000 },
  /** Worker threads. */
  workers: 2,
  /** MiB of a worker for what is young: a run leaves nothing behind, so that little of it is ever copied. */
  youngMb: 192,
} as const;
