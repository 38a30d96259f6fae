/** Every bound of the runtime in one place. Times in milliseconds, sizes in bytes, unless the name says otherwise. */
export const runtimeLimits = {
  /** Events per page of a stream read. */
  readPage: 500,
  /** A holder renews this many times per TTL (interfaces.md, WRIT_LEASE_TTL_MS). */
  renewalsPerTtl: 5,
  /** A holder stops this share of the TTL before it runs out: one renewal interval. */
  leaseMarginShare: 1 / 5,
  /** What is taken under a lease has this share of the TTL before it: two renewal intervals. */
  freshLeaseShare: 2 / 5,
  /** Newest events that a lease stream keeps readable. */
  leaseStreamKeeps: 8,
  /** How often a watched holder on this host is asked over its sockets whether it is gone. */
  probeEveryMs: 100,
  /** How often an owner looks at its open calls although no notice came. */
  pollMs: 500,
  /** The same once nothing has moved for a while: a turn may wait for a person for days. */
  pollLongestMs: 30_000,
  /** First and longest pause between two wakes of one call. */
  wakeFirstMs: 1_000,
  wakeLongestMs: 10_000,
  /** First and longest pause between two tries against a store that does not answer. */
  retryFirstMs: 50,
  retryLongestMs: 2_000,
  /** First and longest pause between two tries of one model step. */
  modelRetryFirstMs: 250,
  modelRetryLongestMs: 8_000,
  /** A staged event that is not found means *not yet*: the delivery comes again after this. */
  notYetMs: 250,
  /** A delivery whose call cannot be judged now (store away, lease not held) comes again after this. */
  laterMs: 1_000,
  /** How long a stopping executor waits for tools that are under way before it kills them. */
  drainToolsMs: 3_000,
  /** Sessions that one orchestrator drives at a time. */
  ownedSessions: 20_000,
  /** Sessions that one orchestrator takes up at a time after a restart. */
  adoptedAtOnce: 64,
  /** How often an orchestrator looks for sessions that nobody holds. */
  recoveryEveryMs: 500,
  /** How often a projection writes its state and checkpoint. */
  checkpointEveryMs: 5_000,
  /** Content of one result; with its envelope it stays well under the store's 1 MiB per append (eventstore.md C2). */
  resultBytes: 512 * 1024,
  /** How long a tool's own check may take. */
  checkMs: 10_000,
  /** How often late evidence is appended anew where others write to the same stream. */
  lateEvidenceTries: 10,
  /** Steps of one reconciliation: read back, run again, settle. */
  reconcileSteps: 8,
  /** How long a person has for a call in doubt. */
  doubtHeldMs: 24 * 60 * 60_000,
  /** An earlier run of the name that still renews after this many TTLs is a live clone. */
  cloneAfterTtls: 2,
  /** Between two looks where calls are known to have moved. */
  breathMs: 5,
  /** How often a readback that was stopped before it answered is asked. */
  readbackTries: 3,
  /** How often an owner looks for an interrupt although no notice of one came. */
  controlPollMs: 2_000,
  /** Wakes that the approval-service handles at a time. */
  attendedAtOnce: 16,
  /** What a person is shown of one call. */
  previewCharacters: 4_000,
  /** How long a person has where the rule says nothing (interfaces.md, policy). */
  approvalMs: 10 * 60_000,
  /** How often the approval-service looks at what waits, whether or not it was woken. */
  attendEveryMs: 500,
  /** How often a starting instance tries again to put itself on record. */
  enterEveryMs: 250,
  /** How often a wish to interrupt is appended anew where others write to the same control stream. */
  interruptTries: 5,
  /** How often a request for a turn looks again after another request for its session. */
  startTries: 5,
  /** A lease that nobody here has asked about for this long is watched no more. */
  watchedForMs: 2_000,
} as const;

/** What a model's arguments may be (protocol 2, "Arguments and digest"). */
export const argumentLimits = {
  /** Of the raw text. Half of the store's 1 MiB per append: what fits here can be staged beside small siblings. */
  rawBytes: 512 * 1024,
  /** Of the same text as a JSON string, which is how an event holds it: quotes and backslashes double there. */
  quotedBytes: 768 * 1024,
  /** Of objects and lists within each other, the arguments object included. */
  depth: 64,
  /** Calls that one call may hold as a batch. */
  wrappedCalls: 64,
  /** Of an id as sent; what goes beyond it is kept as a digest. */
  idKeptCharacters: 1_024,
  /** Of a text over the limit, the characters that the record keeps; its digest covers all of it. */
  rawKeptCharacters: 1_024,
  /** Of a name as sent; no tool's name is near it. */
  nameKeptCharacters: 256,
  /** Of a place that a refusal names. */
  placeCharacters: 160,
  /** An earlier run of the name that still renews after this many TTLs is a live clone. */
  cloneAfterTtls: 2,
} as const;

/** Compiled input schemas. */
export const schemaLimits = {
  /** Definitions kept compiled; the one not used for longest goes first. */
  compiled: 512,
  /** Faults that a refusal lists, and the length of each in characters. */
  faultsListed: 8,
  faultCharacters: 240,
  /** An earlier run of the name that still renews after this many TTLs is a live clone. */
  cloneAfterTtls: 2,
} as const;
