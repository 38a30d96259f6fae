import { eventSchemas, parseEvent, type EventType, type WritEvent } from '@writ/contracts';
import { emptyTranscript, foldTranscript, toAnthropic, toOpenai } from '../projections';
import { forged, forgeries } from '../testing/forgeries';
import { goodHistory } from '../testing/good-history';
import { fakeDigest, writeDown, type Draft } from '../testing/log';
import { foldCall } from '../tool-call';
import { foldSession } from '../turn';
import { checkA8, checkChain, historyRules, listA9, type Finding, type RenderedSession } from '.';

function rendered(events: readonly WritEvent[], sessionId: string): RenderedSession {
  const state = events
    .filter((event) => event.metadata.$correlationId === sessionId)
    .reduce(foldTranscript, emptyTranscript());
  return { sessionId, openai: toOpenai(state), anthropic: toAnthropic(state) };
}

/** The findings of every rule over one history. */
function audit(
  events: readonly WritEvent[],
  sessions = [rendered(events, 's1'), rendered(events, 's2')],
): Finding[] {
  return [
    ...Object.values(historyRules).flatMap((check) => check(events).findings),
    ...checkA8(events, sessions).findings,
    ...checkChain(events, fakeDigest).findings,
  ];
}

const s1 = 'session-s1';
const rulesBroken = (drafts: readonly Draft[]): string[] => [
  ...new Set(audit(writeDown(drafts)).map(({ rule }) => rule)),
];

describe('the audit of a good history', () => {
  const events = writeDown(goodHistory);

  it('finds nothing, and has looked at something for every rule', () => {
    expect(audit(events)).toEqual([]);
    const checked = Object.entries(historyRules).map(([rule, check]) => [rule, check(events).checked]);
    expect(Object.fromEntries(checked)).toEqual({ A1: 6, A2: 8, A3: 7, A4: 4, A5: 13, A6: 4, A7: 9 });
    expect(checkA8(events, []).checked).toBe(2);
    expect(checkChain(events, fakeDigest).checked).toBe(events.length);
  });

  it('finds nothing at any earlier point of its log', () => {
    for (let length = 0; length < events.length; length += 1) {
      // An append is atomic: a reader never sees a step or a denial without the rest of it.
      const isInsideAppend = ['ToolCallStaged', 'ToolResultCommitted'].includes(events[length]?.type ?? '');
      if (!isInsideAppend) expect(audit(events.slice(0, length))).toEqual([]);
    }
  });

  it('is a history that the deciders would have written', () => {
    const sessionEvents = events.filter((event) => event.stream === s1);
    const session = foldSession(sessionEvents);
    expect(session.lease).toBeNull();
    const states = [...session.calls].map(([callId, { staged, settledInSession }]) =>
      foldCall(
        staged,
        events.filter((event) => event.stream === `toolcall-${callId}`),
        settledInSession,
      ),
    );
    expect(states.map(({ status }) => status)).toEqual(Array(8).fill('settled'));
  });

  it('has every event type in it', () => {
    expect([...new Set(events.map(({ type }) => type))].sort()).toEqual(Object.keys(eventSchemas).sort());
    expect(events.map((event) => parseEvent(event)).filter(({ ok }) => !ok)).toEqual([]);
  });
});

describe.each(Object.entries(forgeries))('rule %s', (rule, histories) => {
  it.each(Object.entries(histories))('and no other finds %s', (_, drafts) => {
    expect(rulesBroken(drafts)).toEqual([rule]);
  });
});

describe('rule A5', () => {
  it('finds a rerun that names a superseded epoch, as A6 does', () => {
    expect(rulesBroken(forged(['toolcall-b', 'ToolExecutionStarted', 1], { epoch: 2 }))).toEqual([
      'A5',
      'A6',
    ]);
  });
});

describe('rule A4', () => {
  it('takes a grant that was decided at its deadline, and none a millisecond later', () => {
    const decided = (decidedAt: string) =>
      rulesBroken(forged(['toolcall-b', 'ApprovalGranted'], { decidedAt }));
    expect(decided('2026-01-01T10:30:00.000Z')).toEqual([]);
    expect(decided('2026-01-01T10:30:00.001Z')).toEqual(['A4']);
  });
});

describe('rule A8 on a rendered transcript', () => {
  const events = writeDown(goodHistory);
  const good = rendered(events, 's1');
  const messages = good.openai.messages;
  const broken = (session: Partial<RenderedSession>): string[] =>
    audit(events, [{ ...good, ...session }]).map(({ rule }) => rule);

  it('finds nothing in what the renderers make', () => {
    expect(broken({})).toEqual([]);
  });

  it('finds a result that was left out, doubled or put elsewhere', () => {
    const list = Array.isArray(messages) ? messages : [];
    expect(broken({ openai: { messages: list.slice(0, -1) } })).toContain('A8');
    expect(broken({ openai: { messages: [...list, ...list.slice(-1)] } })).toContain('A8');
    expect(broken({ anthropic: { messages: [] } })).toContain('A8');
  });
});

describe('rule A10', () => {
  const events = writeDown(goodHistory);
  const rules = (forgedEvents: readonly WritEvent[]): string[] => audit(forgedEvents).map(({ rule }) => rule);

  it('and no other finds a changed word, a key that no schema knows, a changed time and a missing event', () => {
    const altered = (change: (event: WritEvent) => object): WritEvent[] =>
      events.map((event) =>
        event.type === 'TurnFailed' ? Object.assign({ ...event }, change(event)) : event,
      );
    expect(rules(altered((event) => ({ data: { ...event.data, message: 'all was well' } })))).toEqual([
      'A10',
    ]);
    expect(rules(altered((event) => ({ data: { ...event.data, note: 'new' } })))).toEqual(['A10']);
    expect(
      rules(altered(({ metadata }) => ({ metadata: { ...metadata, at: '2026-01-01T09:00:00.000Z' } }))),
    ).toEqual(['A10']);
    expect(rules(events.filter(({ type }) => type !== 'ContextCompacted'))).toContain('A10');
  });

  it('finds an event that was altered together with its digest, by the next one', () => {
    const target = events.find(({ type }) => type === 'TurnStarted');
    const { digest: _, ...covered } = target?.metadata ?? { digest: '' };
    const again = target && { ...target, data: { ...target.data, input: 'Something else.' } };
    const digest = fakeDigest({ ...again, metadata: covered, position: undefined });
    const repaired = events.map((event) =>
      event === target ? Object.assign({ ...event }, again, { metadata: { ...covered, digest } }) : event,
    );
    const places = checkChain(repaired, fakeDigest).findings.map(({ events: [place] }) => place);
    expect(places).toEqual([expect.objectContaining({ stream: s1, revision: 3 })]);
  });

  it('finds a call stream that does not go on from its staged event', () => {
    const start = events.find(({ stream, revision }) => stream === 'toolcall-a' && revision === 0);
    if (!start) throw new Error('no start');
    const { id, stream, revision, type, data } = start;
    const { digest: _, ...covered } = start.metadata;
    const metadata = { ...covered, predecessor: fakeDigest('another') };
    const digest = fakeDigest({ id, stream, revision, type, data, metadata });
    const other = events.map((event) =>
      event === start ? { ...start, metadata: { ...metadata, digest } } : event,
    );
    const [first] = checkChain(other, fakeDigest).findings;
    expect(first).toMatchObject({
      message: expect.stringContaining('predecessor'),
      events: [{ stream: 'toolcall-a', revision: 0 }],
    });
  });

  it('takes of a capped lease stream what is left of it, and no other stream', () => {
    const without = (stream: string): WritEvent[] =>
      events.filter((event) => event.stream !== stream || event.revision > 0);
    expect(rules(without('lease-tool-executor.e2.0'))).toEqual([]);
    expect(rules(without('instance-tool-executor.e2'))).toEqual(['A10']);
  });
});

describe('the list A9', () => {
  it('tells open, doubtful and held calls, never run, failed and unknown ones apart', () => {
    const standings = (drafts: readonly Draft[]) =>
      Object.fromEntries(listA9(writeDown(drafts)).calls.map(({ callId, standing }) => [callId, standing]));
    expect(standings(goodHistory)).toEqual({
      g: 'approved_never_ran',
      h: 'ran_and_failed',
      z: 'awaiting_approval',
    });
    const upTo = (stream: string, type: EventType, nth = 0) => {
      const target = goodHistory.filter((entry) => entry.stream === stream && entry.type === type)[nth];
      return standings(goodHistory.slice(0, target ? goodHistory.indexOf(target) + 1 : 0));
    };
    expect(upTo('toolcall-a', 'ToolExecutionStarted')).toEqual({
      a: 'running',
      b: 'awaiting_approval',
      d: 'ready',
    });
    expect(upTo('toolcall-b', 'ApprovalGranted')).toMatchObject({ b: 'ready' });
    expect(upTo('lease-tool-executor.e1.0', 'LeaseEnded')).toMatchObject({ b: 'in_doubt' });
    expect(upTo('toolcall-d', 'ToolExecutionTakenOver')).toMatchObject({ d: 'in_doubt' });
    expect(upTo('toolcall-d', 'DoubtHeld')).toMatchObject({ d: 'held' });
    expect(upTo('toolcall-d', 'DoubtResolved')).toMatchObject({ d: 'ready' });
    expect(standings(forged(['toolcall-h', 'ToolResultCommitted'], { effect: 'unknown' }))).toMatchObject({
      h: 'effect_unknown',
    });
  });

  it('says since when and by which event', () => {
    const events = writeDown(goodHistory);
    const waiting = listA9(events).calls.find(({ callId }) => callId === 'z');
    const staged = events.find((event) => event.type === 'ToolCallStaged' && event.data.callId === 'z');
    expect(waiting).toMatchObject({
      sessionId: 's2',
      since: staged?.metadata.at,
      event: { stream: 'session-s2', position: staged?.position },
    });
  });
});
