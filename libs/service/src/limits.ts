/** Every bound of this library, with its unit; where interfaces name a default it stands here. */
export const serviceLimits = {
  /** What a service listens on where WRIT_HTTP_PORT says nothing. */
  ports: { 'turn-orchestrator': 7401, 'tool-executor': 7402, 'approval-service': 7403 },
  /** A lease must outlive three tries of an append (protocol 7), and a person's typing error. */
  leaseTtlMs: { default: 5_000, min: 300, max: 600_000 },
  appendTimeoutMs: { default: 1_500, min: 50, max: 60_000 },
  appendResolveMs: { default: 8_000, min: 50, max: 600_000 },
  /** The longest sleep that a Node timer can hold. */
  longestTimerMs: 2 ** 31 - 1,
  /** A readiness check that has not answered by then counts as missing: kubelet asks with a timeout of its own. */
  readinessMs: 2_000,
  /** A store that has not answered by then does not answer: sooner than the whole check, which then names the store alone. */
  storeCheckMs: 1_500,
  /** All steps of a graceful stop together; `npm run up` kills half a second later. */
  shutdownMs: 5_000,
  /** What is in flight at a crash point has left, and may have been handled, by then; the process dies answered or not. */
  crashInFlightMs: 250,
  /** Passes of a crash point that WRIT_CRASH_AT may count to. */
  crashPasses: 1_000_000,
  /** A configuration file; the aliases that one may resolve; the problems of one that are told at once. */
  configFileBytes: 1_048_576,
  configAliases: 100,
  configProblemsListed: 20,
} as const;
