import type {
  AuditFinding,
  CanonicalCall,
  CanonicalTurn,
  LeaseEndReason,
  ReadbackEffect,
} from '@writ/contracts';
import type { RoundPlan } from '../plans';
import type { Harm } from '../rounds/harm';
import type { Effects } from '../world/ledger';

export interface CallFacts {
  readonly sessionId: string;
  readonly callId: string;
  readonly tool: string;
  readonly effectClass: NonNullable<CanonicalCall['effectClass']>;
  readonly outcome: CanonicalCall['outcome'];
  readonly effect: CanonicalCall['effect'];
  /** Of each takeover on record, how surely the holder before had ended. */
  readonly takeovers: readonly LeaseEndReason[];
  /** What the readbacks on record said. */
  readonly readbacks: readonly ReadbackEffect[];
  /** Outside the system. */
  readonly seen: Effects;
}

export interface TurnFacts {
  readonly sessionId: string;
  readonly turnId: string;
  readonly status: CanonicalTurn['status'];
  readonly code?: string;
}

/** All that a round is judged by: its plan, what came of it on record, and what was seen outside. */
export interface RoundFacts {
  readonly plan: RoundPlan;
  readonly harm: Harm;
  /** Somebody stood still, or had no store, for so long that it may have cost a lease. */
  readonly isSilent: boolean;
  readonly settled: boolean;
  /** What never came about, where it was not the settling. */
  readonly stuck?: string;
  /** From the last kill, in milliseconds. */
  readonly settledMs?: number;
  /** An executor of the pool was alive when all was settled. */
  readonly executorLives: boolean;
  readonly turns: readonly TurnFacts[];
  readonly calls: readonly CallFacts[];
  readonly findings: readonly AuditFinding[];
  /** What services did that they never should: end by themselves, or say that something threw. */
  readonly thrown: readonly string[];
}
