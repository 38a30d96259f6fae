import {
  canonicalTranscriptSchema,
  anthropicTranscriptSchema,
  openaiTranscriptSchema,
  type WritEvent,
} from '@writ/contracts';
import fc from 'fast-check';
import { checkAnthropicMessages, checkOpenaiMessages } from '../../invariants/provider-legality';
import { writeDown } from '../../testing/log';
import { story } from '../../testing/transcript-story';
import { throughPosition } from '../position';
import { emptyTranscript, foldTranscript, serializeTranscript, toAnthropic, toCanonical, toOpenai } from '.';

const fold = (events: readonly WritEvent[]) => events.reduce(foldTranscript, emptyTranscript());
const render = (events: readonly WritEvent[]): string[] => {
  const state = fold(events);
  return [toCanonical(state), toOpenai(state), toAnthropic(state)].map(serializeTranscript);
};
const legal = (events: readonly WritEvent[]): string[] => {
  const state = fold(events);
  return [
    ...checkOpenaiMessages(toOpenai(state).messages),
    ...checkAnthropicMessages(toAnthropic(state).messages),
  ];
};

/** The same events, each stream in its own order, the streams mixed by `picks`, some events delivered twice. */
function mixed(events: readonly WritEvent[], picks: readonly number[]): WritEvent[] {
  const streams = [...new Set(events.map((event) => event.stream))];
  const queues = streams.map((stream) => events.filter((event) => event.stream === stream));
  const out: WritEvent[] = [];
  for (let turn = 0; queues.some((queue) => queue.length > 0); turn += 1) {
    const pick = picks[turn % picks.length] ?? 0;
    const waiting = queues.filter((queue) => queue.length > 0);
    const next = waiting[pick % waiting.length]?.shift();
    if (next) out.push(next);
    const again = out[pick % out.length];
    if (pick % 3 === 0 && again) out.push(again);
  }
  return out;
}

describe('the transcript', () => {
  it('is the same bytes however the streams are interleaved and whatever is delivered twice', () => {
    const events = writeDown(story);
    const expected = render(events);
    fc.assert(
      fc.property(fc.array(fc.nat(30), { minLength: 1, maxLength: 40 }), (picks) => {
        expect(render(mixed(events, picks))).toEqual(expected);
      }),
    );
  });

  it('is legal for both providers and has the agreed shapes at every point of the log', () => {
    const events = writeDown(story);
    for (const { position } of events) {
      const state = fold(throughPosition(events, position));
      expect(legal(throughPosition(events, position))).toEqual([]);
      expect(canonicalTranscriptSchema.parse(JSON.parse(serializeTranscript(toCanonical(state))))).toEqual(
        toCanonical(state),
      );
      openaiTranscriptSchema.parse(toOpenai(state));
      anthropicTranscriptSchema.parse(toAnthropic(state));
      expect(toCanonical(state).position).toBe(position);
    }
  });

  it('names an open call and leaves its whole round out of what a provider sees', () => {
    const state = fold(writeDown(story.slice(0, 13)));
    expect(toOpenai(state)).toEqual({
      messages: [
        { role: 'system', content: 'You are careful.' },
        { role: 'user', content: 'Please do it.' },
      ],
      open: ['a'],
    });
    expect(toAnthropic(state)).toMatchObject({ system: 'You are careful.', open: ['a'] });
    expect(toAnthropic(fold(writeDown(story))).open).toBeUndefined();
    expect(toOpenai(fold(writeDown(story))).open).toBeUndefined();
    expect(toCanonical(state).turns[0]?.steps[0]?.calls[0]).toMatchObject({
      callId: 'a',
      outcome: null,
      effect: null,
      content: [],
    });
  });
});
