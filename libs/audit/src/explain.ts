import { callStream, sessionStream, type RecordedEvent, type WritEvent } from '@writ/contracts';
import { comparePositions } from '@writ/protocol';
import type { EventStore } from '@writ/runtime';
import { parseRecorded } from './parse-recorded';
import { eachRecorded, headPosition, readStreamWhole, type Unavailable } from './read-streams';

export type Explanation =
  /** The staged event, then all that happened to the call, in log order. */
  | { readonly outcome: 'explained'; readonly events: readonly WritEvent[] }
  | { readonly outcome: 'not_found' }
  | { readonly outcome: 'damaged'; readonly problem: string }
  | Unavailable;

/** One call's story. A call whose own stream is empty is looked for in the whole log. */
export async function explain(store: EventStore, callId: string): Promise<Explanation> {
  const own = await readStreamWhole(store, callStream(callId));
  if (own.outcome === 'unavailable') return own;
  const session = await sessionEvents(store, callId, own.events);
  if (session.outcome === 'unavailable') return session;
  const parsed = [...session.events, ...own.events].map(parseRecorded);
  const problem = parsed.find((one) => !one.ok);
  if (problem && !problem.ok) return { outcome: 'damaged', problem: problem.problem };
  const events = parsed
    .flatMap((one) => (one.ok ? [one.event] : []))
    .filter((event) => isAbout(event, callId))
    .sort((a, b) => comparePositions(a.position, b.position));
  return events.length === 0 ? { outcome: 'not_found' } : { outcome: 'explained', events };
}

const isAbout = ({ stream, type, data }: WritEvent, callId: string): boolean =>
  stream === callStream(callId) ||
  (type === 'CallsAbandoned' && data.callIds.includes(callId)) ||
  ('callId' in data && data.callId === callId);

async function sessionEvents(
  store: EventStore,
  callId: string,
  own: readonly RecordedEvent[],
): Promise<{ outcome: 'events'; events: readonly RecordedEvent[] } | Unavailable> {
  const [first] = own.map(parseRecorded);
  if (first?.ok) {
    const read = await readStreamWhole(store, sessionStream(first.event.metadata.$correlationId));
    return read.outcome === 'unavailable'
      ? read
      : { outcome: 'events', events: read.events.filter(isCallEvent) };
  }
  const head = await headPosition(store);
  if (head.outcome === 'unavailable') return head;
  const events: RecordedEvent[] = [];
  const read = await eachRecorded(store, head.position, (event) => {
    const parsed = isCallEvent(event) ? parseRecorded(event) : undefined;
    if (parsed?.ok && isAbout(parsed.event, callId)) events.push(event);
  });
  return read.outcome === 'unavailable' ? read : { outcome: 'events', events };
}

const isCallEvent = ({ type }: RecordedEvent): boolean =>
  ['ToolCallStaged', 'ToolResultCommitted', 'CallsAbandoned'].includes(type);
