/** Every bound of the simulation in one place. Times in virtual milliseconds unless the name says otherwise. */
export const simulationLimits = {
  appendTimeoutMs: 1_500,
  resolveMs: 4_000,
  ttlMs: 5_000,
  commitGraceMs: 3_000,
  unclaimedMs: 12_000,
  approvalDeadlineMs: 6_000,
  toolTimeoutMs: 4_000,
  /** How long a wake is waited for where the broker cannot be reached. */
  publishMs: 2_000,
  /** A zombie stands still for this long: mostly longer than its lease. */
  zombie: { leastMs: 3_000, mostMs: 14_000 },
  /** Share of seeds in which one call loses its executors one after the other, and how many of them at most. */
  hunt: { share: 0.6, mostLosses: 4 },
  /** How long a whole pool stays away: longer than `unclaimedMs` and a TTL. */
  poolGone: { leastMs: 14_000, mostMs: 32_000 },
  /** A day and an hour: past every deadline of a held call. */
  dayMs: 25 * 3_600_000,
  /** How long held calls wait in calm, in a seed whose people settle no doubts, before a day passes. */
  quietMs: 15_000,
  /** How long the faults of a seed last. */
  safety: { leastMs: 10_000, mostMs: 25_000 },
  /** How long everything may take to settle once nothing fails any more. */
  livenessMs: 240_000,
  /** Once nothing fails any more: from when every call that waits has been woken, or was taken over from who is lost. */
  wokenWithinMs: 11_000,
  takenOverWithinMs: 13_500,
  markEveryMs: 500,
  /** Within what an owner that can read it has read a wish to interrupt, clocks being as far off as they are. */
  heardWithinMs: 5_000,
  /** Within what a living executor has put on record what its tool returned. */
  tellsWithinMs: 15_000,
  /** What a seed must have had to count. */
  least: { sessions: 3, calls: 10, classes: 4, faults: 3 },
  /** Turns of one client, however little came of them. */
  turnsAtMost: 8,
  /** A client's patience with one request. */
  requestMs: 8_000,
  /** Time is more than a run has: what only a turn's time would end is stuck. Turns in a hurry ask for less. */
  budgets: {
    steps: 6,
    callsPerTurn: 40,
    callsPerBatch: 8,
    wallTimeMs: 3_600_000,
    roundTimeMs: 3_600_000,
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
