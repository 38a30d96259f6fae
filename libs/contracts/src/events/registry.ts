/** Every event type with its schema, and the one place where a recorded event becomes a typed one. */
import { z } from 'zod';
import { positionSchema, revisionSchema } from '../primitives';
import * as call from './tool-call';
import * as instance from './instance';
import { metadataSchema, type EventMetadata } from './metadata';
import { toolResultCommittedSchema } from './result';
import * as session from './session';

export const eventSchemas = {
  SessionOpened: session.sessionOpenedSchema,
  SessionLeaseAcquired: session.sessionLeaseAcquiredSchema,
  SessionLeaseReleased: session.sessionLeaseReleasedSchema,
  TurnStarted: session.turnStartedSchema,
  AssistantMessageRecorded: session.assistantMessageRecordedSchema,
  ToolCallStaged: session.toolCallStagedSchema,
  ToolResultCommitted: toolResultCommittedSchema,
  CallsAbandoned: session.callsAbandonedSchema,
  ContextCompacted: session.contextCompactedSchema,
  TurnCompleted: session.turnCompletedSchema,
  TurnFailed: session.turnFailedSchema,
  TurnInterrupted: session.turnInterruptedSchema,
  ApprovalRequested: call.approvalRequestedSchema,
  ApprovalGranted: call.approvalGrantedSchema,
  ApprovalDenied: call.approvalDeniedSchema,
  ApprovalExpired: call.approvalExpiredSchema,
  ToolExecutionStarted: call.toolExecutionStartedSchema,
  ToolExecutionTakenOver: call.toolExecutionTakenOverSchema,
  ReadbackRecorded: call.readbackRecordedSchema,
  DoubtHeld: call.doubtHeldSchema,
  DoubtResolved: call.doubtResolvedSchema,
  LateResultRecorded: call.lateResultRecordedSchema,
  LateDecisionRecorded: call.lateDecisionRecordedSchema,
  InstanceStarted: instance.instanceStartedSchema,
  LeaseRenewed: instance.leaseRenewedSchema,
  LeaseEnded: instance.leaseEndedSchema,
  ToolManifestPublished: instance.toolManifestPublishedSchema,
  InterruptRequested: instance.interruptRequestedSchema,
} as const;

export type EventType = keyof typeof eventSchemas;
export type EventData<T extends EventType> = z.infer<(typeof eventSchemas)[T]>;

/** What a decider accepts: type and data, before ids, metadata and revision are added at the edge. */
export type NewEvent<T extends EventType = EventType> = { [K in T]: { type: K; data: EventData<K> } }[T];

/** A recorded event of ours, parsed. */
export type WritEvent<T extends EventType = EventType> = {
  [K in T]: {
    id: string;
    stream: string;
    revision: number;
    position: string;
    type: K;
    data: EventData<K>;
    metadata: EventMetadata;
  };
}[T];

/** An event as a store hands it out: nothing in it is trusted yet. */
export const recordedEventSchema = z.object({
  id: z.string(),
  stream: z.string(),
  revision: revisionSchema,
  position: positionSchema,
  type: z.string(),
  data: z.unknown(),
  metadata: z.unknown(),
});
export type RecordedEvent = z.infer<typeof recordedEventSchema>;

export type ParsedEvent = { ok: true; event: WritEvent } | { ok: false; problem: string };

const isEventType = (type: string): type is EventType => Object.hasOwn(eventSchemas, type);

/** Parses what a store returned. A problem names the stream, the revision and the field; it never quotes a value. */
export function parseEvent(recorded: RecordedEvent): ParsedEvent {
  const where = `${recorded.stream}@${recorded.revision}`;
  if (!isEventType(recorded.type))
    return { ok: false, problem: `${where}: unknown event type ${recorded.type}` };
  const data = eventSchemas[recorded.type].safeParse(recorded.data);
  if (!data.success) return { ok: false, problem: `${where}: ${recorded.type}.${fieldOf(data.error)}` };
  const metadata = metadataSchema.safeParse(recorded.metadata);
  if (!metadata.success) return { ok: false, problem: `${where}: metadata.${fieldOf(metadata.error)}` };
  const { id, stream, revision, position } = recorded;
  // The pairing of type and data is what `eventSchemas[type]` just checked; TypeScript cannot follow it through the index.
  return {
    ok: true,
    event: {
      id,
      stream,
      revision,
      position,
      type: recorded.type,
      data: data.data,
      metadata: metadata.data,
    } as WritEvent,
  };
}

function fieldOf(error: z.ZodError): string {
  const [issue] = error.issues;
  return issue ? `${issue.path.join('.')} (${issue.code})` : 'unreadable';
}
