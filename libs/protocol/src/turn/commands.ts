/** What an orchestrator may ask of a session. Ids, times and digests come in here; the core makes none. */
import type { Budgets, EventData } from '@writ/contracts';
import type { AbandonReason } from './state';

/** The owner as it knows itself: its instance and the epoch under which it holds the session. */
export interface Owner {
  readonly instance: string;
  readonly epoch: number;
}

export interface OpenSession {
  readonly type: 'OpenSession';
  readonly session: EventData<'SessionOpened'>;
}
export interface StartTurn {
  readonly type: 'StartTurn';
  readonly instance: string;
  readonly turnId: string;
  readonly input: string;
  readonly idempotencyKey?: string;
  readonly requestDigest: string;
  readonly budgets: Budgets;
  /** Calls of earlier turns that are not settled (`turnStatus`). */
  readonly openCalls: readonly string[];
}
/** Takes the session over: from a holder whose lease has ended, or after a release with something left open. */
export interface AcquireLease {
  readonly type: 'AcquireLease';
  readonly instance: string;
  readonly leaseEnded?: { readonly stream: string; readonly revision: number };
}
/** One model reply. Without calls it is the final one and ends turn and lease in the same append. */
export interface RecordStep extends Owner {
  readonly type: 'RecordStep';
  readonly message: EventData<'AssistantMessageRecorded'>;
  readonly staged: readonly EventData<'ToolCallStaged'>[];
  readonly refusedResults: readonly EventData<'ToolResultCommitted'>[];
}
export interface AbandonCalls extends Owner {
  readonly type: 'AbandonCalls';
  readonly callIds: readonly string[];
  readonly why: AbandonReason;
}
export type TurnEnd =
  | ({ readonly type: 'TurnCompleted' } & Omit<EventData<'TurnCompleted'>, 'turnId'>)
  | ({ readonly type: 'TurnFailed' } & Omit<EventData<'TurnFailed'>, 'turnId'>)
  | ({ readonly type: 'TurnInterrupted' } & Omit<EventData<'TurnInterrupted'>, 'turnId'>);
export interface EndTurn extends Owner {
  readonly type: 'EndTurn';
  readonly turnId: string;
  readonly end: TurnEnd;
  /** Calls that are not settled; while there are any the lease is kept. */
  readonly openCalls: readonly string[];
}
export interface ReleaseLease extends Owner {
  readonly type: 'ReleaseLease';
  readonly why: EventData<'SessionLeaseReleased'>['why'];
}
export interface CompactContext extends Owner {
  readonly type: 'CompactContext';
  readonly throughRevision: number;
  readonly summary: string;
  readonly openCalls: readonly string[];
}
export type SessionCommand =
  | OpenSession
  | StartTurn
  | AcquireLease
  | RecordStep
  | AbandonCalls
  | EndTurn
  | ReleaseLease
  | CompactContext;
