import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { sessionStream, streamPrefixes, type RecordedEvent, type WritEvent } from '@writ/contracts';
import { openRecorded, type EventStore } from '@writ/runtime';

/** Between two comments that keep an idle connection open, in milliseconds. */
const keepAliveMs = 15_000;

/** Committed events of one session and of its calls as server-sent events, from the log and in its order. */
export function streamEvents(
  from: { readonly store: EventStore; readonly sessionId: string; readonly after?: string },
  request: IncomingMessage,
  response: ServerResponse,
): void {
  response.writeHead(200, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    connection: 'keep-alive',
  });
  response.flushHeaders();
  const following = from.store.follow({
    of: { prefixes: [sessionStream(from.sessionId), streamPrefixes.call] },
    after: from.after ?? 'start',
    onEvent: (event) => send(response, event, (opened) => belongsTo(opened, from.sessionId)),
  });
  const comment = setInterval(() => response.write(': still here\n\n'), keepAliveMs);
  request.socket.once('close', () => {
    clearInterval(comment);
    void following.close();
  });
}

function belongsTo({ stream, metadata }: WritEvent, sessionId: string): boolean {
  if (stream === sessionStream(sessionId)) return true;
  return stream.startsWith(streamPrefixes.call) && metadata.$correlationId === sessionId;
}

async function send(
  response: ServerResponse,
  recorded: RecordedEvent,
  isWanted: (event: WritEvent) => boolean,
): Promise<void> {
  const opened = openRecorded(recorded);
  if (!opened.ok || !isWanted(opened.event) || response.destroyed) return;
  const { stream, revision, position, type, data, metadata } = opened.event;
  const line = JSON.stringify({ stream, revision, position, type, data, metadata });
  if (response.write(`id: ${position}\nevent: ${type}\ndata: ${line}\n\n`)) return;
  await Promise.race([once(response, 'drain'), once(response, 'close')]);
}
