import type { WritEvent } from '@writ/contracts';
import { emptyTranscript, foldTranscript, toOpenai, type TranscriptState } from '@writ/protocol';
import { stagedCalls, type Asked, type Evidence, type Violation } from './history';

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
  return evidence.asked.flatMap((asked) => {
    const known = (bySession.get(asked.sessionId) ?? []).filter(
      ({ position }) => evidence.indexOf(position) < asked.logLength,
    );
    return isFold(asked, known)
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

const said = (state: TranscriptState): string => JSON.stringify(toOpenai(state).messages);

function isFold({ messages }: Asked, known: readonly WritEvent[]): boolean {
  if (said(known.reduce(foldTranscript, emptyTranscript())) === messages) return true;
  let state = emptyTranscript();
  return known.some((event) => {
    state = foldTranscript(state, event);
    return said(state) === messages;
  });
}
