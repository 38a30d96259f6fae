/** What one session is, as its stream tells it: lease, turns, steps, staged calls. */
import type { Budgets, EventData, Failure, ToolsetsOnRecord, WritEvent } from '@writ/contracts';

/** Events that a session's stream may hold. */
export type SessionEventType =
  | 'SessionOpened'
  | 'SessionLeaseAcquired'
  | 'SessionLeaseReleased'
  | 'TurnStarted'
  | 'AssistantMessageRecorded'
  | 'ToolCallStaged'
  | 'ToolResultCommitted'
  | 'CallsAbandoned'
  | 'ContextCompacted'
  | 'TurnCompleted'
  | 'TurnFailed'
  | 'TurnInterrupted';

export type AbandonReason = EventData<'CallsAbandoned'>['why'];

export interface SessionLease {
  readonly instance: string;
  /** Revision of its `SessionLeaseAcquired`. */
  readonly epoch: number;
  readonly why: EventData<'SessionLeaseAcquired'>['why'];
  readonly acquiredAt: string;
}

interface TurnFacts {
  readonly turnId: string;
  readonly idempotencyKey?: string;
  readonly requestDigest: string;
  readonly input: string;
  readonly budgets: Budgets;
  readonly startedAt: string;
  /** Model replies on record. */
  readonly steps: number;
  /** Replies in a row before the newest of which nothing could run (`failedReplies`). */
  readonly failedBefore: number;
}
export type TurnState = TurnFacts &
  (
    | { readonly status: 'open' }
    | { readonly status: 'completed'; readonly finalText: string; readonly endedAt: string }
    | { readonly status: 'failed'; readonly failure: Failure; readonly endedAt: string }
    | { readonly status: 'interrupted'; readonly reason: string; readonly endedAt: string }
  );

/** One model reply with its calls, in the model's order. */
export interface Step {
  readonly turnId: string;
  readonly step: number;
  /** Of the message. */
  readonly revision: number;
  readonly at: string;
  readonly text: string;
  readonly callIds: readonly string[];
}

export interface StagedCall {
  readonly staged: WritEvent<'ToolCallStaged'>;
  readonly settledInSession?: WritEvent<'ToolResultCommitted'>;
}

export interface SessionState {
  readonly sessionId: string;
  readonly opened: EventData<'SessionOpened'> & { readonly at: string };
  /** The newest on record; null where none is. */
  readonly toolsetConfig: ToolsetsOnRecord | null;
  readonly revision: number;
  readonly lastDigest: string;
  /** Null before the first turn and after a release. */
  readonly lease: SessionLease | null;
  /** The newest. */
  readonly turn: TurnState | null;
  readonly turns: ReadonlyMap<string, TurnState>;
  readonly turnOfKey: ReadonlyMap<string, string>;
  /** Model replies of the whole session. */
  readonly replies: number;
  /** The newest step of the session, whichever turn it belongs to: no other can have open calls. */
  readonly step: Step | null;
  readonly calls: ReadonlyMap<string, StagedCall>;
  readonly abandoned: ReadonlyMap<string, AbandonReason>;
  readonly compacted: { readonly throughRevision: number; readonly summary: string } | null;
}

/** The turn that a repeated request means. */
export function turnOfKey(session: SessionState, idempotencyKey: string): TurnState | undefined {
  const turnId = session.turnOfKey.get(idempotencyKey);
  return turnId === undefined ? undefined : session.turns.get(turnId);
}
