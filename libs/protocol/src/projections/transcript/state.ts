import type { WritEvent } from '@writ/contracts';

export type Decision = WritEvent<'ApprovalGranted' | 'ApprovalDenied' | 'ApprovalExpired'>;
export type TurnEnd = WritEvent<'TurnCompleted' | 'TurnFailed' | 'TurnInterrupted'>;
export type LateEvidence = WritEvent<'LateResultRecorded' | 'LateDecisionRecorded'>;

/** What the record says about one call. `staged` is absent while only its own stream has been seen. */
export interface CallFacts {
  readonly callId: string;
  /** Last revision of `toolcall-<callId>` that was applied; -1 for none. */
  readonly revision: number;
  readonly staged?: WritEvent<'ToolCallStaged'>;
  readonly decision?: Decision;
  /** The first start; later ones are reruns. */
  readonly started?: WritEvent<'ToolExecutionStarted'>;
  /** Revisions of the claim and of each takeover. */
  readonly epochs: readonly number[];
  readonly held: boolean;
  readonly result?: WritEvent<'ToolResultCommitted'>;
  readonly late: readonly LateEvidence[];
}

/** One model reply with its batch, in the model's order. */
export interface StepFacts {
  readonly message: WritEvent<'AssistantMessageRecorded'>;
  readonly calls: readonly CallFacts[];
}

export interface TurnFacts {
  readonly started: WritEvent<'TurnStarted'>;
  readonly steps: readonly StepFacts[];
  readonly end?: TurnEnd;
}

export interface TranscriptState {
  readonly opened?: WritEvent<'SessionOpened'>;
  /** Last revision of the session's stream that was applied; -1 for none. */
  readonly revision: number;
  /** Log position of the last event that it holds; `0` for none. */
  readonly position: string;
  readonly turns: readonly TurnFacts[];
  readonly compacted?: WritEvent<'ContextCompacted'>;
  /** Calls whose own stream was seen before the session's said that they were staged. */
  readonly early: { readonly [callId: string]: CallFacts };
}

export const emptyTranscript = (): TranscriptState => ({ revision: -1, position: '0', turns: [], early: {} });

export const emptyCall = (callId: string): CallFacts => ({
  callId,
  revision: -1,
  epochs: [],
  held: false,
  late: [],
});
