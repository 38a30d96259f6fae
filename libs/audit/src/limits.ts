/** Bounds of reading the record. */
export const auditLimits = {
  /** Events per page of a read of the whole log. */
  logPage: 1_000,
  /** Events per page of a read of one stream. */
  streamPage: 500,
  /** Streams that are read at a time. */
  concurrentReads: 8,
} as const;
