import type { TranscriptFormat } from '@writ/contracts';
import {
  emptyTranscript,
  foldTranscript,
  serializeTranscript,
  toAnthropic,
  toCanonical,
  toOpenai,
  type TranscriptState,
} from '@writ/protocol';
import type { EventStore } from '@writ/runtime';
import { readTranscriptEvents, type CutOptions, type TranscriptEvents } from './transcript-events';

export type RenderedTranscript =
  /** JSON; the same bytes for HTTP and for the command line. */
  { readonly outcome: 'rendered'; readonly text: string } | Exclude<TranscriptEvents, { outcome: 'events' }>;

const renderers = { canonical: toCanonical, openai: toOpenai, anthropic: toAnthropic } as const;

export const renderState = (state: TranscriptState, format: TranscriptFormat): string =>
  serializeTranscript(renderers[format](state));

/** A session's transcript from its streams, as bytes. */
export async function renderTranscript(
  store: EventStore,
  sessionId: string,
  options: CutOptions & { readonly format: TranscriptFormat },
): Promise<RenderedTranscript> {
  const read = await readTranscriptEvents(store, sessionId, options);
  if (read.outcome !== 'events') return read;
  const state = read.events.reduce(foldTranscript, emptyTranscript());
  return { outcome: 'rendered', text: renderState(state, options.format) };
}
