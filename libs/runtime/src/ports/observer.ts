import type { CrashPoint } from './crash-points';

/** What an operator reads. Fields are ids, numbers and digests: never arguments, results or secrets. */
export type LogFields = { readonly [key: string]: string | number | boolean | undefined | readonly string[] };

export interface Log {
  /** `event` is the stable word that scripts look for (`step_staged`, `call_woken`, …). */
  info(event: string, fields: LogFields): void;
  warn(event: string, fields: LogFields): void;
  error(event: string, fields: LogFields): void;
}

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
