/** Every bound of the stack, with its unit. Ctrl-C must end all within 10 s: two rounds of stopping and reaping stay below. */
export const stackLimits = {
  portBase: { default: 7400, min: 1024, max: 65_000 },
  instances: { max: 9 },
  /** From start to an open port or a ready answer, for one process on a busy machine. */
  readyMs: 60_000,
  pollMs: 50,
  probeMs: 1_000,
  /** How long a port may still be held by a stack that is just ending. */
  portFreeMs: 3_000,
  stopServicesMs: 5_500,
  stopStoresMs: 1_500,
  reapMs: 500,
  /** A process that dies this often within the window is left dead: it cannot run. */
  restarts: { max: 20, windowMs: 60_000 },
  /** Lines of each process that are kept in memory; the log file has all. */
  keptLines: 20_000,
  /** Lines that are shown of a process that could not start. */
  shownLines: 8,
} as const;
