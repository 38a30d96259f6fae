import type { WritEvent } from '@writ/contracts';
import { emptyTranscript, foldTranscript, toOpenai, type TranscriptState } from '@writ/protocol';
import { stagedCalls, type Evidence, type Violation } from './history';

/** I5: what the model was asked with is a fold of what was on record then, or before where a successor has moved on. */
export function checkRequests(evidence: Evidence): readonly Violation[] {
  const staged = stagedCalls(evidence.events);
  const bySession = new Map<string, WritEvent[]>();
  for (const event of evidence.events) {
    const sessionId = event.stream.startsWith('session-')
      ? event.stream.slice('session-'.length)
      : staged.get(event.stream.replace('toolcall-', ''))?.data.sessionId;
    if (sessionId !== undefined) bySession.set(sessionId, [...(bySession.get(sessionId) ?? []), event]);
  }
  const folds = new Map([...bySession].map(([sessionId, events]) => [sessionId, new GrowingFold(events)]));
  return evidence.asked.flatMap((asked) => {
    const isFold = folds
      .get(asked.sessionId)
      ?.gave(asked.messages, ({ position }) => evidence.indexOf(position) < asked.logLength);
    return isFold === true
      ? []
      : [
          {
            rule: 'I5',
            kind: 'safety' as const,
            what: `a request of ${asked.sessionId} is no fold of what was on record`,
            at: asked.logLength,
          },
        ];
  });
}

/** One session's transcript, folded event by event as its requests come: they were asked in log order. */
class GrowingFold {
  /** Before each of the events that are folded. */
  readonly #states: TranscriptState[] = [];
  #state = emptyTranscript();

  constructor(private readonly events: readonly WritEvent[]) {}

  /** Whether these messages are what the events known by then tell, or told before the last of them. */
  gave(messages: string, isKnown: (event: WritEvent) => boolean): boolean {
    const known = this.events.findIndex((event) => !isKnown(event));
    for (const event of this.events.slice(this.#states.length, known < 0 ? undefined : known)) {
      this.#states.push(this.#state);
      this.#state = foldTranscript(this.#state, event);
    }
    const says = (state: TranscriptState): boolean => JSON.stringify(toOpenai(state).messages) === messages;
    return says(this.#state) || this.#states.some(says);
  }
}
