import { parseEvent, type RecordedEvent, type WritEvent } from '@writ/contracts';
import type { EventStore, StoreCause } from '../ports';
import { runtimeLimits } from '../limits';
import { eventDigest } from './seal';

export type StreamRead =
  | { readonly outcome: 'events'; readonly events: readonly WritEvent[] }
  | { readonly outcome: 'not_found' }
  | { readonly outcome: 'unavailable'; readonly cause: StoreCause }
  /** What is stored is not what was written: nothing may be decided on it. The text names the place, never a value. */
  | { readonly outcome: 'damaged'; readonly problem: string };

/** Reads a stream from `from` (inclusive, default its beginning) to its end; every event is parsed and its digest checked. */
export async function readWhole(store: EventStore, stream: string, from = 0): Promise<StreamRead> {
  const events: WritEvent[] = [];
  let next = from;
  for (;;) {
    const page = await store.readStream(stream, {
      direction: 'forwards',
      from: next,
      maxCount: runtimeLimits.readPage,
    });
    if (page.outcome !== 'events') return page;
    const problem = take(page.events, events, next);
    if (problem !== undefined) return { outcome: 'damaged', problem };
    next += page.events.length;
    if (page.events.length < runtimeLimits.readPage) return { outcome: 'events', events };
  }
}

/** Reads the event at one revision. */
export async function readOne(store: EventStore, stream: string, revision: number): Promise<StreamRead> {
  const page = await store.readStream(stream, { direction: 'forwards', from: revision, maxCount: 1 });
  if (page.outcome !== 'events') return page;
  const [recorded] = page.events;
  if (recorded === undefined || recorded.revision !== revision) return { outcome: 'not_found' };
  return asRead(recorded);
}

/** Reads the newest event of a stream, which may be capped. */
export async function readNewest(store: EventStore, stream: string): Promise<StreamRead> {
  const page = await store.readStream(stream, { direction: 'backwards', from: 'end', maxCount: 1 });
  if (page.outcome !== 'events') return page;
  const [recorded] = page.events;
  return recorded === undefined ? { outcome: 'not_found' } : asRead(recorded);
}

function asRead(recorded: RecordedEvent): StreamRead {
  const opened = openRecorded(recorded);
  return opened.ok
    ? { outcome: 'events', events: [opened.event] }
    : { outcome: 'damaged', problem: opened.problem };
}

function take(page: readonly RecordedEvent[], into: WritEvent[], firstRevision: number): string | undefined {
  for (const [index, recorded] of page.entries()) {
    if (recorded.revision !== firstRevision + index) {
      return `${recorded.stream}: revision ${firstRevision + index} is missing`;
    }
    const opened = openRecorded(recorded);
    if (!opened.ok) return opened.problem;
    const previous = into.at(-1);
    if (previous !== undefined && opened.event.metadata.predecessor !== previous.metadata.digest) {
      return `${recorded.stream}@${recorded.revision}: names another predecessor than the event before it`;
    }
    into.push(opened.event);
  }
  return undefined;
}

export type Opened =
  { readonly ok: true; readonly event: WritEvent } | { readonly ok: false; readonly problem: string };

/** Of records that nobody can change any more. */
const openedBefore = new WeakMap<RecordedEvent, Opened>();

/**
 * Parses a recorded event and checks the digest that it carries against its own bytes. Where a store hands one frozen
 * record to many readers, which says that it will stay as it is all through, that is done once.
 */
export function openRecorded(recorded: RecordedEvent): Opened {
  const before = openedBefore.get(recorded);
  if (before !== undefined) return before;
  const opened = openAnew(recorded);
  if (Object.isFrozen(recorded)) openedBefore.set(recorded, opened);
  return opened;
}

function openAnew(recorded: RecordedEvent): Opened {
  const parsed = parseEvent(recorded);
  if (!parsed.ok) return parsed;
  const { stream, revision } = recorded;
  return eventDigest(recorded) === parsed.event.metadata.digest
    ? parsed
    : { ok: false, problem: `${stream}@${revision}: its digest does not fit its content` };
}
