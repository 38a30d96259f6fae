import { canonicalTranscriptSchema, type RecordedEvent } from '@writ/contracts';
import { renderTranscript } from './render-transcript';
import { golden, goldenHistory, storeOf, unreachable } from './testing/golden-store';
import { readTranscriptEvents } from './transcript-events';

const canonical = { format: 'canonical' } as const;

async function textOf(
  events: readonly RecordedEvent[],
  sessionId: string,
  options: Parameters<typeof renderTranscript>[2],
) {
  const rendered = await renderTranscript(storeOf(events), sessionId, options);
  return rendered.outcome === 'rendered' ? rendered.text : rendered.outcome;
}

describe('a transcript read from the store', () => {
  it('is to the byte what it always was for the golden history, in all three formats', async () => {
    for (const sessionId of ['s1', 's2']) {
      for (const format of ['canonical', 'openai', 'anthropic'] as const) {
        const text = await textOf(goldenHistory(), sessionId, { format });
        expect(text).toBe(JSON.stringify(golden('transcripts.json', sessionId, format)));
      }
    }
  });

  it('at a log position holds nothing that came after it', async () => {
    const history = goldenHistory();
    for (const { position } of history) {
      const text = await textOf(history, 's1', { ...canonical, at: position });
      const upTo = history.filter((event) => BigInt(event.position) <= BigInt(position));
      const next = history[upTo.length]?.type ?? '';
      // A step is one append: no store ever held a part of it.
      const isInsideStep = ['ToolCallStaged', 'ToolResultCommitted'].includes(next);
      if (!isInsideStep) expect(text).toBe(await textOf(upTo, 's1', canonical));
      if (text === 'not_found') continue;
      const shown = canonicalTranscriptSchema.parse(JSON.parse(text));
      expect(BigInt(shown.position) <= BigInt(position)).toBe(true);
    }
  });

  it('never shows part of a step, wherever the cut is', async () => {
    const history = goldenHistory();
    const stepSizes = new Set<number>();
    for (const { position } of history) {
      const text = await textOf(history, 's1', { ...canonical, at: position });
      if (text === 'not_found') continue;
      const { turns } = canonicalTranscriptSchema.parse(JSON.parse(text));
      turns
        .flatMap(({ steps }) => steps)
        .forEach(({ step, calls }) => stepSizes.add(step * 100 + calls.length));
    }
    expect([...stepSizes].sort((a, b) => a - b)).toEqual([101, 104, 203, 300]);
  });

  it('is a consistent cut although the log grows while it is read', async () => {
    const history = goldenHistory();
    const visible = history.slice(0, 40);
    const expected = await textOf(visible, 's1', canonical);
    const growing = [...visible];
    let next = 40;
    const store = storeOf(growing, () => {
      const event = history[next];
      next += 1;
      if (event && growing.length < next) growing.push(event);
      return undefined;
    });
    const first = await renderTranscript(store, 's1', canonical);
    // The event that arrives while the head is read may be seen; none that comes later.
    const more = await textOf(history.slice(0, 41), 's1', canonical);
    expect([expected, more]).toContain(first.outcome === 'rendered' && first.text);
  });

  it('says not found, unavailable and damaged apart', async () => {
    const history = goldenHistory();
    expect(await textOf(history, 'nobody', canonical)).toBe('not_found');
    expect(await textOf(history, 's2', { ...canonical, at: '100' })).toBe('not_found');
    expect(
      await renderTranscript(
        storeOf(history, () => unreachable),
        's1',
        canonical,
      ),
    ).toEqual(unreachable);
    const damaged = history.map((event) =>
      event.stream === 'toolcall-a' ? { ...event, data: { secret: 1 } } : event,
    );
    expect(await readTranscriptEvents(storeOf(damaged), 's1')).toEqual({
      outcome: 'damaged',
      problem: expect.stringMatching(/^toolcall-a@0: ToolExecutionStarted\./),
    });
  });
});
