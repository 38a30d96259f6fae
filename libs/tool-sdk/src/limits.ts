/** Every bound of this library, with its unit. */
export const limits = {
  /** One frame between two processes; larger is a broken peer. Bytes. */
  frameBytes: 40 * 1024 * 1024,
  /** What one tool may return, as JSON. Bytes. A larger result is an error of its own, its effect stands. */
  resultBytes: 32 * 1024 * 1024,
  /** How deep a returned JSON value may be nested. */
  jsonDepth: 200,
  /** The text kept of a blob that is text. UTF-8 bytes. */
  blobPreviewBytes: 1024,
  /** The text of a thrown error, of a refusal and of the reason in an evidence. Characters. */
  messageChars: 4096,

  /** A tool process imports its modules within this time, or is ended. Milliseconds. */
  importMs: 10_000,
  /** How often a process that cannot start is tried before those who wait are told. */
  startTries: 3,
  /** The host answers its first message within this time beside `importMs`. Milliseconds. */
  hostStartMs: 10_000,
  /** Of a Unix socket's path: the address holds 108, and the socket is first bound under a longer name. */
  socketPathBytes: 99,
  /** A call waits this long for a process; its deadline counts from the hand-over. Milliseconds. */
  placeMs: 10_000,
  /** Calls that wait for a process. */
  waitingCalls: 1024,
  /** Calls without effect that one process may share. */
  sharedCalls: 16,
  /** A call handed to a process that has others must have begun within this time, or is moved. Milliseconds. */
  sharedStallMs: 500,
  /** Processes that a call without effect is tried in. */
  sharedTries: 3,
  /** Between the abort signal and the kill of an interrupted tool. Milliseconds. */
  interruptGraceMs: 100,
  /** After a process has ended, its last words may still be on the way. Milliseconds. */
  lastWordsMs: 250,
  /** interfaces.md, "A tool": a readback takes at most 10 s. Milliseconds. */
  readbackMs: 10_000,
  /** A check runs before the claim and has no effect. Milliseconds. */
  checkMs: 5_000,
  /** A host that gives no sign of life for so long after an `extend` is held for frozen, and is ended. Milliseconds. */
  hostSilentMs: 10_000,

  /** Between two looks at the process table while processes end. Milliseconds. */
  pollMs: 3,
  /** The same once they take long, as a process does that hangs in the kernel or that we may not kill. */
  slowPollMs: 100,
  /** Looks before it is slow. */
  quickLooks: 300,
  /** Rounds of stopping a family before it is killed as it is. */
  stopRounds: 25,
  /** One line in the log says that a killed process is still there. Milliseconds. */
  lingeringMs: 5_000,

  /** A line of a tool's output or log. Characters. */
  lineChars: 1024,
  /** Lines of output per process: a burst, and then so many per second. */
  lineBurst: 50,
  linesPerSecond: 10,

  /** A tool's own deadline, at most: 24 h in milliseconds. */
  timeoutMs: 24 * 60 * 60_000,
  /** A tool's description. Characters. */
  descriptionChars: 16_384,
  /** A tool's input schema, as JSON. Bytes. */
  schemaBytes: 256 * 1024,

  /** What `read_file` reads and `write_file` writes. Bytes. */
  fileBytes: 4 * 1024 * 1024,
  /** What `list_folder` lists; it says how many more there are. */
  folderEntries: 1_000,
  /** A path in an argument. UTF-8 bytes. */
  pathBytes: 4_096,
  /** Records about one idempotency key of `write_file`. */
  writeRecords: 64,
} as const;
