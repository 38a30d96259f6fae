import { PAGE_BYTES, PAGE_EVENTS } from '../limits';
import type { ReadSession } from './read';
import { eventResponse } from './read-response';

/** Sends events in order, a page in memory at a time; false once the call is over. */
export async function sendEvents(session: ReadSession, sequences: readonly number[]): Promise<boolean> {
  const { context, options, outbox } = session;
  const structuredIds = options.getUuidOption()?.hasStructured() ?? false;
  let from = 0;
  while (from < sequences.length) {
    const page = nextPage(session, sequences, from);
    from += page.length;
    for (const [at, event] of (await context.bodies.load(page)).entries()) {
      const position = context.index.table.position(page[at] ?? 0);
      if (!(await outbox.send(eventResponse(event, { position, structuredIds })))) return false;
    }
  }
  return !outbox.closed;
}

function nextPage(session: ReadSession, sequences: readonly number[], from: number): readonly number[] {
  const { table } = session.context.index;
  let bytes = 0;
  let to = from;
  while (to < sequences.length && to - from < PAGE_EVENTS && (to === from || bytes < PAGE_BYTES)) {
    bytes += table.size(sequences[to] ?? 0);
    to += 1;
  }
  return sequences.slice(from, to);
}
