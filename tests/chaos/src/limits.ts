/** Every bound of the kill matrix. Milliseconds, unless the name says otherwise. */
export const chaosLimits = {
  rounds: { default: 200, max: 100_000 },
  seed: { max: 2 ** 32 - 1 },
  leaseTtl: { default: 2_000, min: 900, max: 60_000 },
  services: { max: 4 },
  turns: { max: 8 },
  /** Stacks that are under attack at the same time. */
  sideBySide: { default: 2, max: 4 },
  pollMs: 25,
  /** Between two looks through the services' own interfaces, which costs them work: at transcripts and waiting approvals. */
  askEveryMs: 150,
  /** One request of the harness, `wait` excluded. */
  requestMs: 5_000,
  /** From the harm to everything settled; later is a finding of liveness. */
  settleMs: 45_000,
  /** From the first turn to the kill; each of the tries asks for new turns, since another instance may be faster. */
  passMs: 3_000,
  passTries: 6,
  /** Requests that one store fault may spoil. */
  faultTimes: 2,
  /** How long a store fault or an outage of the broker lasts; a frozen store or broker wakes after as long. */
  outageMs: 700,
  /** Frozen or cut off for so many TTLs. */
  silentTtls: 1.6,
  /** Share of the TTL from which a process that stood still, or a store that was away, may have cost a lease. */
  silentShare: 0.5,
  /** The store's delay. */
  delayMs: 400,
  /** How often one doubled wake is sent, and the pause between. */
  doubledWakes: { times: 8, everyMs: 100 },
  /** Of a line in which a service says that something threw. */
  shownCharacters: 600,
  /** Share of all turns that must end `completed`, in a run of so many turns or more. */
  completed: { share: 0.95, ofTurns: 100 },
  /** Times that a round is run again whose point was not reached; another process may have been faster. */
  roundTries: 3,
  /** Rounds from which on every kill point must have been hit, and how often (all of them together are one plan of 200). */
  hits: { fromRounds: 200, atLeast: 5 },
  /** Rounds between two audits of the whole log; each session of a round is audited at once. */
  wholeAuditEvery: 25,
  /** Rounds that one stack lives. */
  roundsOfStack: 50,
} as const;
