/** What an operator reads. Fields are ids, numbers and digests: never arguments, results or secrets. */
export type LogFields = { readonly [key: string]: string | number | boolean | undefined | readonly string[] };

export interface Log {
  /** `event` is the stable word that scripts look for (`step_staged`, `call_woken`, …). */
  info(event: string, fields: LogFields): void;
  warn(event: string, fields: LogFields): void;
  error(event: string, fields: LogFields): void;
}

/** Named crash points shared by code, simulation and chaos (field-reports.md, kill points). */
export type CrashPoint =
  | 'K0'
  | 'K1'
  | 'K2'
  | 'K3'
  | 'K4'
  | 'K4a'
  | 'K4b'
  | 'K4c'
  | 'K5'
  | 'K6'
  | 'K7'
  | 'K9'
  | 'H1'
  | 'H2'
  | 'H3'
  | 'H4'
  | 'P0'
  | 'P1'
  | 'P2'
  | 'P3'
  | 'P4';
export interface CrashPoints {
  /** With `inFlight` the point is *sent, acknowledgement not received*: what was asked for leaves, and nobody acts on the answer. */
  pass(point: CrashPoint, inFlight?: Promise<unknown>): void;
}

/** Whether another instance's processes are known to have ended, as seen from this host (protocol 7). */
export type Liveness = 'gone' | 'alive' | 'unknown';
export interface InstanceProbe {
  probe(started: {
    readonly host: { readonly name: string; readonly bootId: string };
    readonly sockets: { readonly process: string; readonly toolHost?: string | undefined };
  }): Promise<Liveness>;
}
