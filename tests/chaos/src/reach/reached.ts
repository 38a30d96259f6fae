import type { Point } from '../points';
import type { Choices, Recovery } from '../plans';

export type Standpoint = Choices & { readonly point: Point };

export interface Ways {
  /** By its own SIGKILL, or by a SIGSTOP from which it is woken. */
  readonly ends: 'dies' | 'stands';
  /** No other of its service is there to go on in its place. */
  readonly isAlone: boolean;
  readonly turns: number;
}

/** A process that came to its point, or did not. */
export interface Reached {
  readonly name: string;
  readonly isHit: boolean;
  /** It is stopped and must be woken; else it died, or stands there by what its tool does. */
  readonly isStopped: boolean;
  /** Monotonic milliseconds of when it was seen there. */
  readonly at: number;
  /** Sessions whose turn was interrupted to bring it there. */
  readonly interrupted: readonly string[];
  /** All turns of the round are accepted. */
  readonly begun: Promise<unknown>;
  /** Gives it, once it is dead, its next life, or brings up all others of its service in its place. */
  recover(recovery: Recovery): Promise<void>;
}
