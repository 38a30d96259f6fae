/** Every bound of the kill matrix. Milliseconds, unless the name says otherwise. */
export const chaosLimits = {
  rounds: { default: 200, max: 100_000 },
  seed: { max: 2 ** 32 - 1 },
  leaseTtl: { default: 2_000, min: 900, max: 60_000 },
  services: { max: 4 },
  turns: { max: 8 },
  pollMs: 25,
  /** One request of the harness, `wait` excluded. */
  requestMs: 5_000,
  /** From the harm to everything settled; later is a finding of liveness. */
  settleMs: 45_000,
  /** From the first turn to the kill; each of the tries asks for new turns, since another instance may be faster. */
  passMs: 3_000,
  passTries: 6,
  /** Requests that one store fault may spoil. */
  faultTimes: 2,
  /** How long a store fault or an outage of the broker lasts. */
  outageMs: 700,
  /** Frozen or cut off for so many TTLs. */
  silentTtls: 1.6,
  /** The store's delay. */
  delayMs: 400,
  /** How often one doubled wake is sent, and the pause between. */
  doubledWakes: { times: 8, everyMs: 100 },
  /** Of a line in which a service says that something threw. */
  shownCharacters: 600,
  /** Share of turns that must end `completed`. */
  completedShare: 0.95,
  /** Rounds between two audits of the whole log; each session of a round is audited at once. */
  wholeAuditEvery: 25,
  /** Rounds that one stack lives. */
  roundsOfStack: 50,
} as const;
