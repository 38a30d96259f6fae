import { callStream, sessionStream, type RecordedEvent, type WritEvent } from '@writ/contracts';
import { comparePositions, throughPosition } from '@writ/protocol';
import type { EventStore } from '@writ/runtime';
import { parseRecorded } from './parse-recorded';
import { headPosition, readStreams, readStreamWhole, type Unavailable } from './read-streams';

export type TranscriptEvents =
  /** A consistent cut: everything of the session and its calls up to one log position, each stream in order. */
  | { readonly outcome: 'events'; readonly events: readonly WritEvent[] }
  | { readonly outcome: 'not_found' }
  | Unavailable
  /** What is stored cannot be read; the text names the place, never a value. */
  | { readonly outcome: 'damaged'; readonly problem: string };

export interface CutOptions {
  /** Log position (inclusive); default: the newest. */
  readonly at?: string | undefined;
}

/**
 * What a session's transcript is made of. The head of the log is noted first and nothing after it is taken, so that
 * streams read one after the other agree with each other. A session of which nothing is left at `at` is not found.
 */
export async function readTranscriptEvents(
  store: EventStore,
  sessionId: string,
  options: CutOptions = {},
): Promise<TranscriptEvents> {
  const head = await headPosition(store);
  if (head.outcome === 'unavailable') return head;
  const cut =
    options.at !== undefined && comparePositions(options.at, head.position) < 0 ? options.at : head.position;
  const session = await readStreamWhole(store, sessionStream(sessionId));
  if (session.outcome === 'unavailable') return session;
  const own = parseAll(wholeSteps(session.events, cut));
  if (!own.ok) return { outcome: 'damaged', problem: own.problem };
  if (own.events.length === 0) return { outcome: 'not_found' };
  const callIds = own.events.flatMap((event) =>
    event.type === 'ToolCallStaged' && event.data.verdict !== 'refused' ? [event.data.callId] : [],
  );
  const calls = await readStreams(store, callIds.map(callStream));
  if (calls.outcome === 'unavailable') return calls;
  const theirs = parseAll(throughPosition(calls.events, cut));
  if (!theirs.ok) return { outcome: 'damaged', problem: theirs.problem };
  return { outcome: 'events', events: [...own.events, ...theirs.events] };
}

/** A step is one append: a cut inside of it, which only a caller can ask for, comes before it. */
function wholeSteps(session: readonly RecordedEvent[], cut: string): readonly RecordedEvent[] {
  const kept = throughPosition(session, cut);
  const next = session[kept.length]?.type;
  const isInsideStep = next === 'ToolCallStaged' || next === 'ToolResultCommitted';
  const message = kept.findLastIndex(({ type }) => type === 'AssistantMessageRecorded');
  return isInsideStep && message !== -1 ? kept.slice(0, message) : kept;
}

type Parsed =
  { readonly ok: true; readonly events: WritEvent[] } | { readonly ok: false; readonly problem: string };

function parseAll(recorded: readonly RecordedEvent[]): Parsed {
  const events: WritEvent[] = [];
  for (const one of recorded) {
    const parsed = parseRecorded(one);
    if (!parsed.ok) return parsed;
    events.push(parsed.event);
  }
  return { ok: true, events };
}
