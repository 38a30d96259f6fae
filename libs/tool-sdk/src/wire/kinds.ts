/** Kinds of frames. `c` is the frame's call, `n` its number, `p` its payload. */
export const toHost = {
  /** p: what to load, where to listen. The first frame. */
  init: 1,
  /** c: number for the answer, n: no tool may run past this moment of the monotonic clock (ms). Answered with `here`. */
  alive: 2,
  /** c, n: deadline in ms, p: request. A process of its own. */
  startAlone: 3,
  /** c, n: deadline in ms, p: request. Without effect: may share a process and may run again. */
  startShared: 4,
  /** c, p: reason */
  kill: 5,
  /** c: number for the answer, p: reason. Answered with `here` at once and with `allKilled` in the end. */
  killAll: 6,
  /** Nothing is held. */
  rest: 7,
} as const;

export const fromHost = {
  /** p: described tools and problems */
  ready: 20,
  /** c, p: outcome as the tool process wrote it */
  settled: 21,
  /** c, n: 1 if the tool's code never began, p: reason */
  killed: 22,
  /** c: number of the request */
  allKilled: 23,
  /** p: {level, event, fields} */
  log: 24,
  /** c: number of the question that it answers. A sign of life. */
  here: 25,
} as const;

export const toTool = {
  /** p: what to load. The first frame. */
  init: 40,
  /** c, p: request, n: 1 asks for `begun` */
  run: 41,
  /** c */
  abort: 42,
} as const;

export const fromTool = {
  /** p: path of the module that is imported next */
  importing: 60,
  /** p: described tools and problems */
  ready: 61,
  begun: 62,
  /** c, n: see `settledAs`, p: outcome */
  settled: 63,
  /** c, p: {level, message} */
  log: 64,
} as const;

/** What the host needs to know of an outcome that it does not read. */
export const settledAs = { answered: 0, threw: 1, notApplied: 2 } as const;

/** The stop of a run (the port's KillReason) and what the host adds to it. */
export const killReasons = [
  'deadline',
  'round_deadline',
  'interrupt',
  'stop',
  'watchdog',
  'crashed',
] as const;
export type EndReason = (typeof killReasons)[number];
export function endReasonFrom(payload: Buffer): EndReason {
  const text = payload.toString('utf8');
  return killReasons.find((reason) => reason === text) ?? 'stop';
}
