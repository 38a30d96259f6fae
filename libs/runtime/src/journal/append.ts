import type { WritEvent } from '@writ/contracts';
import type { AppendOutcome, EventStore } from '../ports';
import type { SealedAppend } from './seal';

export type SealedOutcome =
  /** `events` are what was stored; those of one append carry the log position of its last. */
  | { readonly outcome: 'acknowledged'; readonly events: readonly WritEvent[]; readonly repeated: boolean }
  | Exclude<AppendOutcome, { outcome: 'acknowledged' }>;

/** Appends sealed events; a position that the acknowledgement left out is read, never guessed. */
export async function appendSealed(store: EventStore, sealed: SealedAppend): Promise<SealedOutcome> {
  const { stream, revision } = sealed.head;
  const outcome = await store.append(stream, revision, sealed.events);
  if (outcome.outcome !== 'acknowledged') return outcome;
  const position = outcome.position ?? (await positionOf(store, stream, outcome.revision));
  return position === undefined
    ? { outcome: 'unknown', cause: 'store_unavailable' }
    : { outcome: 'acknowledged', events: sealed.recorded(position), repeated: outcome.repeated };
}

async function positionOf(store: EventStore, stream: string, revision: number): Promise<string | undefined> {
  const page = await store.readStream(stream, { direction: 'forwards', from: revision, maxCount: 1 });
  return page.outcome === 'events' ? page.events[0]?.position : undefined;
}
