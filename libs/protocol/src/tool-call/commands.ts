/** What the services may ask of a call. Ids, times and digests come in here; the core makes none. */
import type {
  ContentPart,
  Effect,
  Json,
  LeaseEndReason,
  Outcome,
  Readback,
  ReadbackEffect,
} from '@writ/contracts';

/** A result whose outcome and effect the command already fixes: refused, denied or expired, effect none. */
export interface PlainDraft {
  readonly code?: string;
  readonly content: readonly ContentPart[];
  readonly digest: string;
}
export interface ResultDraft extends PlainDraft {
  readonly outcome: Outcome;
  readonly effect: Effect;
  readonly readback?: Readback;
}

/** An executor wants to run it; all but instance and deadline is what it has itself, to be compared (R1). */
export interface Claim {
  readonly type: 'Claim';
  readonly instance: string;
  readonly sessionId: string;
  readonly stagedRevision: number;
  readonly pool: string;
  readonly argsDigest: string;
  readonly definitionDigest: string;
  readonly deadline: string;
}
export interface RefuseByCheck {
  readonly type: 'RefuseByCheck';
  readonly instance: string;
  readonly result: PlainDraft;
}
export interface TakeOver {
  readonly type: 'TakeOver';
  readonly instance: string;
  readonly endedInstance: string;
  readonly leaseEnded: { readonly stream: string; readonly revision: number };
  readonly reason: LeaseEndReason;
}
export interface RecordReadback {
  readonly type: 'RecordReadback';
  readonly instance: string;
  readonly epoch: number;
  readonly effect: ReadbackEffect;
  readonly evidence: Json;
  readonly result?: readonly ContentPart[];
}
export interface Rerun {
  readonly type: 'Rerun';
  readonly instance: string;
  readonly epoch: number;
  readonly deadline: string;
  readonly definitionDigest: string;
  /** What the tool of that definition declares. */
  readonly fenced: boolean;
}
export interface CommitResult {
  readonly type: 'CommitResult';
  readonly instance: string;
  readonly epoch: number;
  readonly result: ResultDraft;
}
export interface HoldDoubt {
  readonly type: 'HoldDoubt';
  readonly instance: string;
  readonly epoch: number;
  readonly deadline: string;
  readonly evidence: readonly Json[];
}
/** A person's word on a held call: either a rerun, or a result that settles it in the same append. */
export type ResolveDoubt = {
  readonly type: 'ResolveDoubt';
  readonly by: string;
  readonly authentication: string;
  readonly effect: ReadbackEffect;
  readonly evidence: Json;
} & ({ readonly rerun: true } | { readonly rerun: false; readonly result: ResultDraft });
/** The owner settles what it has abandoned on record (`abandonedResult` says with which outcome and effect). */
export interface SettleAbandoned {
  readonly type: 'SettleAbandoned';
  readonly instance: string;
  readonly result: ResultDraft;
}
export interface RequestApproval {
  readonly type: 'RequestApproval';
  readonly sessionId: string;
  readonly stagedRevision: number;
  readonly argsDigest: string;
  readonly previewDigest: string;
  readonly deadline: string;
}
interface PersonAnswer {
  readonly by: string;
  readonly authentication: string;
  readonly decidedAt: string;
  readonly argsDigest: string;
  readonly comment?: string;
}
export interface Grant extends PersonAnswer {
  readonly type: 'Grant';
}
export interface Deny extends PersonAnswer {
  readonly type: 'Deny';
  readonly result: PlainDraft;
}
export interface Expire extends PersonAnswer {
  readonly type: 'Expire';
  readonly result: PlainDraft;
}
export interface RecordLateResult {
  readonly type: 'RecordLateResult';
  readonly epoch?: number;
  readonly outcome: Outcome;
  readonly effect: Effect;
  readonly content: readonly ContentPart[];
  readonly digest: string;
}
export interface RecordLateDecision {
  readonly type: 'RecordLateDecision';
  readonly by: string;
  readonly decidedAt: string;
  readonly answer: string;
  readonly comment?: string;
}

export type CallCommand =
  | Claim
  | RefuseByCheck
  | TakeOver
  | RecordReadback
  | Rerun
  | CommitResult
  | HoldDoubt
  | ResolveDoubt
  | SettleAbandoned
  | RequestApproval
  | Grant
  | Deny
  | Expire
  | RecordLateResult
  | RecordLateDecision;
