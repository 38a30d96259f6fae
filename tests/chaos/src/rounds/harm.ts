import type { Point } from '../config';
import type { Recovery } from '../plan';

/** What was done in a round, as it really came about. */
export interface Harm {
  /** Kill points at which a process really died by SIGKILL. */
  readonly hits: readonly Point[];
  /** Monotonic milliseconds of the last kill, and how it was healed; absent where nothing was killed. */
  readonly killed?: { readonly at: number; readonly recovery: Recovery | 'together' };
  /** Store faults that acted. */
  readonly faultHits?: number;
  /** Sessions whose turn the harness interrupted. */
  readonly interrupted?: readonly string[];
}
