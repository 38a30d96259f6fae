import { callStream, sessionStream, type NewEvent, type WritEvent } from '@writ/contracts';
import { appendSealed, readWhole, seal, type EventStore, type SealedOutcome } from '@writ/runtime';
import { systemClock as clock, systemEntropy as entropy } from '@writ/service';

/** Appends on their way at a time. */
const atOnce = 64;

/**
 * Puts `count` copies of a session with one open call on record, each under ids of its own and as well-formed as the
 * original: what ten thousand users leave behind, without waiting for them.
 */
export async function cloneSession(
  store: EventStore,
  {
    sessionId,
    callId,
    count,
  }: { readonly sessionId: string; readonly callId: string; readonly count: number },
): Promise<readonly string[]> {
  const session = await eventsOf(store, sessionStream(sessionId));
  const call = await eventsOf(store, callStream(callId));
  const names = Array.from({ length: count }, (_, index) => String(index).padStart(6, '0'));
  const made: string[] = [];
  const workers = Array.from({ length: atOnce }, async () => {
    for (let name = names.pop(); name !== undefined; name = names.pop()) {
      const renamed = new Map([
        [sessionId, copyOf(sessionId, name)],
        [callId, copyOf(callId, name)],
      ]);
      const staged = await write(store, session, { renamed, predecessor: null });
      await write(store, call, { renamed, predecessor: staged.at(-1)?.metadata.digest ?? null });
      made.push(copyOf(sessionId, name));
    }
  });
  await Promise.all(workers);
  return made;
}

/** The same length and alphabet as the original. */
const copyOf = (id: string, name: string): string => id.slice(0, -name.length) + name;

async function eventsOf(store: EventStore, stream: string): Promise<readonly WritEvent[]> {
  const read = await readWhole(store, stream);
  if (read.outcome !== 'events') throw new Error(`${stream} could not be read: ${read.outcome}`);
  return read.events;
}

interface Copying {
  readonly renamed: ReadonlyMap<string, string>;
  readonly predecessor: string | null;
}

async function write(
  store: EventStore,
  events: readonly WritEvent[],
  { renamed, predecessor }: Copying,
): Promise<readonly WritEvent[]> {
  const [first] = events;
  if (first === undefined) return [];
  const rename = <T>(value: T): T => {
    let text = JSON.stringify(value);
    for (const [from, to] of renamed) text = text.replaceAll(from, to);
    return JSON.parse(text) as T;
  };
  const stream = rename(first.stream);
  const { actor, $correlationId: correlationId } = rename(first.metadata);
  const sealed = seal(
    { clock, entropy },
    { stream, revision: 'no_stream', lastDigest: predecessor },
    {
      drafts: events.map(({ type, data }) => rename({ type, data }) as NewEvent),
      context: { actor, correlationId },
    },
  );
  const outcome: SealedOutcome = await appendSealed(store, sealed);
  // Whoever the copy belongs to may have found it and gone on already.
  if (outcome.outcome === 'conflict') return [];
  if (outcome.outcome !== 'acknowledged') throw new Error(`${stream} was not written: ${outcome.outcome}`);
  return outcome.events;
}
