/** What one call is, as its staged event and its own stream tell it. */
import {
  type ContentPart,
  type Effect,
  type EffectClass,
  type EventData,
  type Json,
  type LeaseEndReason,
  type OnDoubt,
  type Outcome,
  type ReadbackEffect,
  type WritEvent,
} from '@writ/contracts';
import { assert } from '../assert';

/** Events that a call's own stream may hold. */
export type CallEventType =
  | 'ApprovalRequested'
  | 'ApprovalGranted'
  | 'ApprovalDenied'
  | 'ApprovalExpired'
  | 'ToolExecutionStarted'
  | 'ToolExecutionTakenOver'
  | 'ReadbackRecorded'
  | 'DoubtHeld'
  | 'DoubtResolved'
  | 'ToolResultCommitted'
  | 'LateResultRecorded'
  | 'LateDecisionRecorded';

/** What a staged call that may run says about its run; a refused one has none of it. */
export interface CallTerms {
  readonly tool: string;
  readonly pool: string;
  readonly definitionDigest: string;
  readonly argsDigest: string;
  readonly effectClass: EffectClass;
  readonly segment: number;
  readonly timeoutMs: number;
  readonly onDoubt: OnDoubt;
  readonly idempotencyKey: string;
}

/** While a person was waited for; without `to` somebody still is. */
export interface PersonWait {
  readonly from: string;
  readonly to?: string;
}

export interface PersonDecision {
  readonly answer: 'granted' | 'denied' | 'expired';
  readonly by: string;
  readonly decidedAt: string;
}

export interface RecordedReadback {
  /** Under which epoch it was asked. */
  readonly epoch: number;
  readonly effect: ReadbackEffect;
  readonly evidence: Json;
  readonly result?: readonly ContentPart[];
}

/** A person's word that a call in doubt was not applied and shall run again. */
export interface RerunOrder {
  readonly by: string;
  readonly revision: number;
  readonly evidence: Json;
}

export interface CallFacts {
  readonly callId: string;
  readonly sessionId: string;
  readonly turnId: string;
  readonly step: number;
  readonly index: number;
  readonly staged: WritEvent<'ToolCallStaged'>;
  /** Last revision of the call's own stream: what the next append expects. */
  readonly revision: number | 'no_stream';
  /** Digest of the last event; of the staged event while the call's stream is empty. */
  readonly lastDigest: string;
  /** Revisions that gave ownership, in order; the last is the highest. */
  readonly epochs: readonly number[];
  /** Starts so far. */
  readonly attempts: number;
  /** Some holder that had started the tool was superseded as merely silent: it may still act when it wakes. */
  readonly silentRun: boolean;
  readonly decision?: PersonDecision;
  readonly waits: readonly PersonWait[];
  readonly late: readonly { readonly epoch?: number; readonly digest?: string }[];
}

interface OpenFacts extends CallFacts {
  readonly terms: CallTerms;
}
export interface AwaitingCall extends OpenFacts {
  readonly status: 'awaiting_approval';
  readonly requested?: { readonly revision: number; readonly deadline: string };
}
/** Free for an executor to claim. With `order` it has run before and a person wants it run again. */
export interface ReadyCall extends OpenFacts {
  readonly status: 'ready';
  readonly order?: RerunOrder;
}
export interface RunningCall extends OpenFacts {
  readonly status: 'running';
  readonly epoch: number;
  readonly attempt: number;
  /** Instance id. */
  readonly holder: string;
  readonly deadline: string;
}
export interface ReconcilingCall extends OpenFacts {
  readonly status: 'reconciling';
  readonly epoch: number;
  readonly holder: string;
  /** `silent` as soon as any holder that had started was only silent (`silentRun`): gone-ness of a later one heals nothing. */
  readonly holderWas: LeaseEndReason;
  readonly takenOverAt: string;
  readonly readback?: RecordedReadback;
}
export interface HeldCall extends OpenFacts {
  readonly status: 'held';
  readonly epoch: number;
  readonly heldAt: string;
  readonly holderWas: LeaseEndReason;
  readonly deadline: string;
  readonly evidence: readonly Json[];
  readonly readback?: RecordedReadback;
  /** Set between a `DoubtResolved` without rerun and the result in the same append. */
  readonly resolved?: ReadbackEffect;
}
export interface SettledResult {
  readonly outcome: Outcome;
  readonly effect: Effect;
  readonly code?: string;
  readonly content: readonly ContentPart[];
  readonly digest: string;
  readonly epoch?: number;
  /** Where it stands: the call's stream, or the session's for a call refused while staging. */
  readonly stream: string;
  readonly revision: number;
  readonly at: string;
}
export interface SettledCall extends CallFacts {
  readonly status: 'settled';
  readonly result: SettledResult;
}
export type OpenCall = AwaitingCall | ReadyCall | RunningCall | ReconcilingCall | HeldCall;
export type CallState = OpenCall | SettledCall;

/** The state that the staged event alone gives (protocol 3). A refused call needs the result of the same append. */
export function callFromStaged(
  staged: WritEvent<'ToolCallStaged'>,
  settledInSession?: WritEvent<'ToolResultCommitted'>,
): CallState {
  const { data } = staged;
  const facts: CallFacts = {
    callId: data.callId,
    sessionId: data.sessionId,
    turnId: data.turnId,
    step: data.step,
    index: data.index,
    staged,
    revision: 'no_stream',
    lastDigest: staged.metadata.digest,
    epochs: [],
    attempts: 0,
    silentRun: false,
    waits: [],
    late: [],
  };
  assert(
    (data.verdict === 'refused') === (settledInSession !== undefined),
    'only a refused call is settled in its session',
  );
  if (settledInSession !== undefined)
    return { ...facts, status: 'settled', result: settledResult(settledInSession) };
  return { ...facts, terms: termsOf(data), status: data.verdict === 'ask' ? 'awaiting_approval' : 'ready' };
}

/** Throws where a call that may run lacks what its run needs. */
export function termsOf(data: EventData<'ToolCallStaged'>): CallTerms {
  const {
    tool,
    pool,
    definitionDigest,
    argsDigest,
    effectClass,
    segment,
    timeoutMs,
    onDoubt,
    idempotencyKey,
  } = data;
  assert(
    tool !== null &&
      pool !== undefined &&
      definitionDigest !== undefined &&
      effectClass !== undefined &&
      segment !== undefined &&
      timeoutMs !== undefined,
    'a staged call that may run lacks its terms',
  );
  return {
    tool,
    pool,
    definitionDigest,
    argsDigest,
    effectClass,
    segment,
    timeoutMs,
    onDoubt,
    idempotencyKey,
  };
}

export function settledResult(event: WritEvent<'ToolResultCommitted'>): SettledResult {
  const { outcome, effect, code, content, digest, epoch } = event.data;
  return {
    outcome,
    effect,
    ...(code !== undefined && { code }),
    content,
    digest,
    ...(epoch !== undefined && { epoch }),
    stream: event.stream,
    revision: event.revision,
    at: event.metadata.at,
  };
}
