import { sessionStream, type RecordedEvent } from '@writ/contracts';
import { z } from 'zod';

const ofTurn = z.object({ turnId: z.string() });
const ends: ReadonlySet<string> = new Set(['TurnCompleted', 'TurnFailed', 'TurnInterrupted']);
const holdEnds: ReadonlySet<string> = new Set(['DoubtResolved', 'ToolResultCommitted']);

/** Turns of a session whose end is on record. */
export function endedTurns(log: readonly RecordedEvent[], sessionId: string): ReadonlySet<string> {
  const stream = sessionStream(sessionId);
  const found = new Set<string>();
  for (const event of log)
    if (event.stream === stream && ends.has(event.type)) found.add(ofTurn.parse(event.data).turnId);
  return found;
}

/** Streams of calls that wait for a person who settles a doubt. */
export function heldCalls(log: readonly RecordedEvent[]): ReadonlySet<string> {
  const held = new Set<string>();
  for (const { type, stream } of log) {
    if (type === 'DoubtHeld') held.add(stream);
    if (holdEnds.has(type)) held.delete(stream);
  }
  return held;
}

const ofCall = z.object({ callId: z.string() });

/** How many staged calls have no result yet. */
export function openCallsOf(log: readonly RecordedEvent[]): number {
  const open = new Set<string>();
  for (const { type, data } of log) {
    if (type === 'ToolCallStaged') open.add(ofCall.parse(data).callId);
    if (type === 'ToolResultCommitted') open.delete(ofCall.parse(data).callId);
  }
  return open.size;
}
