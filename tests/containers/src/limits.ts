/** Milliseconds. Builds install packages where a registry is near; starts share the machine with everything else. */
export const containerLimits = {
  buildMs: 20 * 60_000,
  commandMs: 5 * 60_000,
  stepMs: 3 * 60_000,
  pollMs: 250,
  probeMs: 5_000,
  /** Of one command. Bytes. */
  outputBytes: 64 * 1024 * 1024,
} as const;
