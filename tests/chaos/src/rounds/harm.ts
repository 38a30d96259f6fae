import type { Target } from '../points';
import type { Recovery } from '../plans';

/** What was done in a round, as it really came about. */
export interface Harm {
  /** Whether a process stood at the point of the plan; absent where the plan names none. */
  readonly isHit?: boolean;
  /** It died there by SIGKILL. */
  readonly hasDied?: boolean;
  /** What was killed or frozen while it stood there. */
  readonly struck?: readonly Target[];
  /** Monotonic milliseconds of the last kill, and how it was healed; absent where nothing was killed. */
  readonly killed?: { readonly at: number; readonly recovery: Recovery | 'others' };
  /** The longest that a process stood still or had no store, in milliseconds. */
  readonly silentMs?: number;
  /** How often a store fault acted. */
  readonly faultHits?: number;
  /** Sessions whose turn the harness interrupted. */
  readonly interrupted?: readonly string[];
}
