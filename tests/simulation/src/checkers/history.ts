import type { RecordedEvent, WritEvent } from '@writ/contracts';
import { openRecorded } from '@writ/runtime';
import type { Outside } from '../world/outside';

export type ViolationKind = 'safety' | 'liveness' | 'thrown';

export interface Violation {
  /** A rule of the protocol (R.., A.., or `§6` for what its section 6 says), `I5`, `settles` or `throws`. */
  readonly rule: string;
  readonly kind: ViolationKind;
  readonly what: string;
  /** Events in the log when it came about: what is first. */
  readonly at: number;
}

/** One question to the model, as it left. */
export interface Asked {
  readonly sessionId: string;
  readonly messages: string;
  readonly logLength: number;
  /** Virtual milliseconds. */
  readonly atMs: number;
}

/** All that a checker may look at: the log and what was counted outside; nothing that the workload remembers. */
export interface Evidence {
  readonly events: readonly WritEvent[];
  readonly outside: Pick<Outside, 'begun' | 'applied'>;
  readonly asked: readonly Asked[];
  /** The events of one stream, in order. */
  ofStream(stream: string): readonly WritEvent[];
  /** Index in the log by position. */
  indexOf(position: string): number;
}

export type Staged = WritEvent<'ToolCallStaged'>;
export type Committed = WritEvent<'ToolResultCommitted'>;

/** Index counts the store's own events as well, as lengths of the log do. */
export function readEvidence(
  log: readonly RecordedEvent[],
  { outside, asked }: Pick<Evidence, 'outside' | 'asked'>,
): Evidence {
  const indexes = new Map(log.map(({ position }, index) => [position, index]));
  const events = log.flatMap((recorded) => {
    if (recorded.stream.startsWith('$')) return [];
    const opened = openRecorded(recorded);
    return opened.ok ? [opened.event] : [];
  });
  const byStream = new Map<string, WritEvent[]>();
  for (const event of events) {
    const known = byStream.get(event.stream);
    if (known === undefined) byStream.set(event.stream, [event]);
    else known.push(event);
  }
  return {
    events,
    outside,
    asked,
    ofStream: (stream) => byStream.get(stream) ?? [],
    indexOf: (position) => indexes.get(position) ?? 0,
  };
}

export const stagedCalls = (events: readonly WritEvent[]): ReadonlyMap<string, Staged> =>
  new Map(events.flatMap((event) => (event.type === 'ToolCallStaged' ? [[event.data.callId, event]] : [])));

export function resultsOf(events: readonly WritEvent[]): ReadonlyMap<string, readonly Committed[]> {
  const found = new Map<string, Committed[]>();
  for (const event of events) {
    if (event.type !== 'ToolResultCommitted') continue;
    found.set(event.data.callId, [...(found.get(event.data.callId) ?? []), event]);
  }
  return found;
}
