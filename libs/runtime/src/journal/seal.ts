import type { Actor, EventMetadata, NewEvent, WritEvent } from '@writ/contracts';
import { digestOf } from '../digest';
import type { Clock, Entropy, EventToAppend, ExpectedRevision } from '../ports';

/** Where a writer stands in a stream: the revision it has read or written, and the digest of the event there. */
export interface StreamHead {
  readonly stream: string;
  readonly revision: ExpectedRevision;
  /** Null only at the beginning of a stream that is no call's. */
  readonly lastDigest: string | null;
}

export interface SealContext {
  readonly actor: Actor;
  /** The session, or the instance for what belongs to none. */
  readonly correlationId: string;
  readonly causationId?: string;
  readonly traceparent?: string;
}

/** Events with their ids, metadata and digests, ready to be appended and repeated as the same bytes. */
export interface SealedAppend {
  readonly head: StreamHead;
  readonly events: readonly EventToAppend[];
  /** The same events as they will be read back, once the log position of the last is known. */
  recorded(position: string): readonly WritEvent[];
}

/** Chains each event to its predecessor and gives it its id, time and digest (protocol 2, metadata). */
export function seal(
  edge: { readonly clock: Clock; readonly entropy: Entropy },
  head: StreamHead,
  { drafts, context }: { readonly drafts: readonly NewEvent[]; readonly context: SealContext },
): SealedAppend {
  const at = new Date(edge.clock.wallMs()).toISOString();
  const first = head.revision === 'no_stream' ? 0 : head.revision + 1;
  let predecessor = head.lastDigest;
  const sealed = drafts.map((draft, index) => {
    const id = edge.entropy.uuid();
    const revision = first + index;
    const open: Omit<EventMetadata, 'digest'> = {
      $correlationId: context.correlationId,
      ...(context.causationId === undefined ? {} : { $causationId: context.causationId }),
      schemaVersion: 1,
      at,
      actor: context.actor,
      ...(context.traceparent === undefined ? {} : { traceparent: context.traceparent }),
      predecessor,
    };
    const digest = eventDigest({
      id,
      stream: head.stream,
      revision,
      type: draft.type,
      data: draft.data,
      metadata: open,
    });
    predecessor = digest;
    return { id, revision, draft, metadata: { ...open, digest } };
  });
  return {
    head,
    events: sealed.map(({ id, draft, metadata }) => ({ id, type: draft.type, data: draft.data, metadata })),
    recorded: (position) =>
      sealed.map(
        ({ id, revision, draft, metadata }) =>
          ({ id, stream: head.stream, revision, position, ...draft, metadata }) satisfies WritEvent,
      ),
  };
}

/** The digest that an event carries: over everything but itself. Takes what a store returned, unparsed. */
export function eventDigest(event: {
  readonly id: string;
  readonly stream: string;
  readonly revision: number;
  readonly type: string;
  readonly data: unknown;
  readonly metadata: unknown;
}): string {
  const { id, stream, revision, type, data } = event;
  const members: { readonly digest?: unknown } =
    typeof event.metadata === 'object' ? (event.metadata ?? {}) : {};
  const { digest: _own, ...metadata } = members;
  return digestOf({ id, stream, revision, type, data, metadata });
}
