import { callStream, sessionStream, type WritEvent } from '@writ/contracts';
import { foldCall, type CallState } from '@writ/protocol';
import { readOne, readWhole } from '../journal/read';
import type { EventStore } from '../ports';

export type LoadedCall =
  | { readonly outcome: 'call'; readonly state: CallState; readonly events: readonly WritEvent[] }
  /** Not found means *not yet* (protocol 5). */
  | { readonly outcome: 'not_yet' }
  | { readonly outcome: 'unavailable' }
  /** The record does not say what was claimed of it, or is damaged: nothing may run. */
  | { readonly outcome: 'untrue'; readonly problem: string };

/** Where a call is staged. */
export interface StagedAt {
  readonly sessionId: string;
  readonly callId: string;
  readonly stagedRevision: number;
}

export type LoadedStaged =
  | { readonly outcome: 'staged'; readonly staged: WritEvent<'ToolCallStaged'> }
  | Exclude<LoadedCall, { outcome: 'call' }>;

/** Reads a call as the store knows it: its staged event at the revision named, then its own stream (R1). */
export async function loadCall(store: EventStore, where: StagedAt): Promise<LoadedCall> {
  const read = await readStaged(store, where);
  return read.outcome === 'staged' ? loadStaged(store, read.staged) : read;
}

/** Reads the staged event of a call, and checks that it is that call's (R1). */
export async function readStaged(store: EventStore, where: StagedAt): Promise<LoadedStaged> {
  const stream = sessionStream(where.sessionId);
  const read = await readOne(store, stream, where.stagedRevision);
  if (read.outcome === 'not_found') return { outcome: 'not_yet' };
  if (read.outcome === 'unavailable') return { outcome: 'unavailable' };
  if (read.outcome === 'damaged') return { outcome: 'untrue', problem: read.problem };
  const [staged] = read.events;
  if (staged?.type !== 'ToolCallStaged' || staged.data.callId !== where.callId) {
    return { outcome: 'untrue', problem: `${stream}@${where.stagedRevision}: does not stage this call` };
  }
  if (staged.data.verdict === 'refused') return { outcome: 'untrue', problem: 'a refused call never runs' };
  return { outcome: 'staged', staged };
}

/** Reads the stream of a call whose staged event is at hand. */
export async function loadStaged(
  store: EventStore,
  staged: WritEvent<'ToolCallStaged'>,
): Promise<LoadedCall> {
  const stream = callStream(staged.data.callId);
  const read = await readWhole(store, stream);
  if (read.outcome === 'unavailable') return { outcome: 'unavailable' };
  if (read.outcome === 'damaged') return { outcome: 'untrue', problem: read.problem };
  const events = read.outcome === 'events' ? read.events : [];
  const [first] = events;
  if (first !== undefined && first.metadata.predecessor !== staged.metadata.digest) {
    return { outcome: 'untrue', problem: `${stream}@0: does not follow the staged event` };
  }
  return { outcome: 'call', state: foldCall(staged, events), events };
}
