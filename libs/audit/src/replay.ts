import type { WritEvent } from '@writ/contracts';
import { comparePositions, emptyTranscript, foldTranscript } from '@writ/protocol';
import { digestOfText, type EventStore } from '@writ/runtime';
import { renderState } from './render-transcript';
import { readTranscriptEvents, type CutOptions, type TranscriptEvents } from './transcript-events';

export interface Replay {
  readonly outcome: 'replayed';
  /** Whether every way of reading the same events gave the same bytes (R14). */
  readonly ok: boolean;
  readonly events: number;
  readonly position: string;
  /** SHA-256 of the canonical transcript's bytes. */
  readonly digest: string;
}

/** Folds a session from zero stream by stream, in log order and with every event delivered twice, and compares the bytes. */
export async function replay(
  store: EventStore,
  sessionId: string,
  options: CutOptions = {},
): Promise<Replay | Exclude<TranscriptEvents, { outcome: 'events' }>> {
  const read = await readTranscriptEvents(store, sessionId, options);
  if (read.outcome !== 'events') return read;
  const inLogOrder = [...read.events].sort((a, b) => comparePositions(a.position, b.position));
  const twice = inLogOrder.flatMap((event) => [event, event]);
  const texts = [read.events, inLogOrder, twice].map(canonicalText);
  return {
    outcome: 'replayed',
    ok: new Set(texts).size === 1,
    events: read.events.length,
    position: inLogOrder.at(-1)?.position ?? '0',
    digest: digestOfText(texts[0] ?? ''),
  };
}

const canonicalText = (events: readonly WritEvent[]): string =>
  renderState(events.reduce(foldTranscript, emptyTranscript()), 'canonical');
