import type { WritEvent } from '@writ/contracts';
import * as facts from '../../testing/facts';
import { draft, writeDown, type Draft } from '../../testing/log';
import { story } from '../../testing/transcript-story';
import { emptyTranscript, foldTranscript, toCanonical } from '.';

const session = 'session-s1';
const call = (id: string): string => `toolcall-${id}`;
const fold = (events: readonly WritEvent[]) => events.reduce(foldTranscript, emptyTranscript());

describe('the canonical transcript', () => {
  const [turn] = toCanonical(fold(writeDown(story))).turns;
  const [a, b, c] = turn?.steps[0]?.calls ?? [];

  it('says who decided and when, in the words of the decision', () => {
    expect(b?.authorization).toEqual({
      verdict: 'ask',
      rule: 'policy[1]',
      decision: { answer: 'grant', by: 'ann', at: '2026-01-01T10:05:00.000Z', comment: 'go on' },
    });
    expect(a?.authorization).toEqual({ verdict: 'allowed', rule: 'policy[0]' });
  });

  it('gives the revisions of claim and takeovers as epochs, and positions and times of what happened', () => {
    expect(a).toMatchObject({
      epochs: [0, 1],
      positions: { staged: '500', started: '1000', committed: '1500' },
      stagedAt: '2026-01-01T10:00:04.000Z',
      startedAt: '2026-01-01T10:00:09.000Z',
      committedAt: '2026-01-01T10:00:14.000Z',
    });
    expect(c?.epochs).toEqual([]);
    expect(c?.startedAt).toBeUndefined();
  });

  it('says which wrapper a call came in, and has no arguments where their text was refused for saying more', () => {
    const staged = (given: Parameters<typeof facts.staged>[1]) => {
      const drafts = [...story.slice(0, 4), draft(session, 'ToolCallStaged', facts.staged('a', given))];
      return toCanonical(fold(writeDown(drafts))).turns[0]?.steps[0]?.calls[0];
    };
    const wrapper = { nameSent: 'multi_tool_use.parallel', place: 0, of: 2 };
    expect(staged({ wrapper })?.wrapper).toEqual(wrapper);
    expect(staged({})?.wrapper).toBeUndefined();
    const doubled = { rawArguments: '{"k":1,"k":2}', verdict: 'refused' as const };
    for (const rule of ['arguments', 'visibility', 'truncation'])
      expect(staged({ ...doubled, rule })?.args).toBeNull();
    expect(staged({ ...doubled, rawArguments: '{"k":1}', rule: 'visibility' })?.args).toEqual({ k: 1 });
  });

  it('keeps a late result beside the settled one and never in its place', () => {
    expect(a).toMatchObject({
      outcome: 'unknown',
      late: [{ kind: 'result', at: '2026-01-01T10:00:15.000Z', position: '1600', by: facts.executor }],
    });
  });

  it('keeps every part of a result as it was committed', () => {
    const content = [
      { type: 'text' as const, text: 'done' },
      { type: 'json' as const, value: { n: [1, null] } },
      { type: 'blob' as const, mediaType: 'image/png', size: 3, sha256: facts.digest('a'), preview: 'a dot' },
    ];
    const drafts = [
      ...story.slice(0, 12),
      draft(call('b'), 'ToolResultCommitted', facts.result('b', { content })),
    ];
    expect(toCanonical(fold(writeDown(drafts))).turns[0]?.steps[0]?.calls[1]?.content).toEqual(content);
  });

  it('gives each ending of a turn its status, and the reason of a failure', () => {
    const endedBy = (end: Draft) => toCanonical(fold(writeDown([...story.slice(0, 3), end]))).turns[0];
    const failure = {
      code: 'session_persistence_failed' as const,
      cause: 'store_timeout' as const,
      message: 'no',
    };
    expect(endedBy(draft(session, 'TurnFailed', { turnId: 't1', ...failure }))).toMatchObject({
      status: 'failed',
      failure,
    });
    expect(endedBy(draft(session, 'TurnInterrupted', { turnId: 't1', reason: 'no' }))?.status).toBe(
      'interrupted',
    );
    expect(endedBy(draft(session, 'TurnCompleted', { turnId: 't1', finalText: 'x' }))).toMatchObject({
      status: 'completed',
      finalText: 'x',
    });
  });

  it('tells a turn that waits for a person from one that runs', () => {
    const statusAfter = (count: number) =>
      toCanonical(fold(writeDown(story.slice(0, count)))).turns[0]?.status;
    expect(statusAfter(10)).toBe('waiting_for_person');
    expect(statusAfter(12)).toBe('running');
    expect(statusAfter(story.length)).toBe('completed');
  });

  it('says nothing of a person while the segment that asks for one is not next', () => {
    const later = story.map((entry) =>
      entry.type === 'ToolCallStaged' && 'callId' in entry.data && entry.data.callId === 'b'
        ? draft(session, 'ToolCallStaged', facts.staged('b', { index: 1, verdict: 'ask', segment: 1 }))
        : entry,
    );
    expect(toCanonical(fold(writeDown(later.slice(0, 8)))).turns[0]?.status).toBe('running');
  });

  it('shows a denial and an expiry as what they are, with who or what decided', () => {
    const decided = (type: 'ApprovalDenied' | 'ApprovalExpired', outcome: 'denied' | 'expired') => {
      const drafts = [
        ...story.slice(0, 9),
        draft(call('b'), type, facts.decision('b')),
        draft(call('b'), 'ToolResultCommitted', facts.result('b', { outcome, effect: 'none' })),
      ];
      return toCanonical(fold(writeDown(drafts))).turns[0]?.steps[0]?.calls[1];
    };
    expect(decided('ApprovalDenied', 'denied')).toMatchObject({
      outcome: 'denied',
      effect: 'none',
      authorization: { decision: { answer: 'deny', by: 'ann' } },
    });
    expect(decided('ApprovalExpired', 'expired')).toMatchObject({
      outcome: 'expired',
      authorization: { decision: { answer: 'expired' } },
    });
  });

  it('waits for a person while a call is held, and no longer once it is resolved, runs again or is settled', () => {
    const statusAfter = (...more: readonly Draft[]) =>
      toCanonical(fold(writeDown([...story.slice(0, 14), ...more]))).turns[0]?.status;
    const held = draft(call('a'), 'DoubtHeld', {
      callId: 'a',
      epoch: 1,
      deadline: '2026-01-02T10:00:00.000Z',
      evidence: [],
    });
    const resolved = draft(call('a'), 'DoubtResolved', {
      ...{
        callId: 'a',
        by: 'ann',
        authentication: 'local',
        effect: 'not_applied',
        evidence: null,
        rerun: true,
      },
    });
    const again = draft(call('a'), 'ToolExecutionStarted', facts.start('a', 4, { attempt: 2 }));
    expect(statusAfter()).toBe('running');
    expect(statusAfter(held)).toBe('waiting_for_person');
    expect(statusAfter(held, resolved)).toBe('running');
    expect(statusAfter(held, again)).toBe('running');
    expect(statusAfter(held, draft(call('a'), 'ToolResultCommitted', facts.result('a')))).toBe('running');
  });

  it('gives a claim that a person ordered its own epoch, and a rerun under a takeover none', () => {
    const rerun = draft(call('a'), 'ToolExecutionStarted', facts.start('a', 4, { attempt: 2, epoch: 1 }));
    const ordered = draft(call('a'), 'ToolExecutionStarted', facts.start('a', 4, { attempt: 2 }));
    const after = (one: Draft) =>
      toCanonical(fold(writeDown([...story.slice(0, 14), one]))).turns[0]?.steps[0]?.calls[0];
    expect(after(rerun)).toMatchObject({ epochs: [0, 1], startedAt: '2026-01-01T10:00:09.000Z' });
    expect(after(ordered)?.epochs).toEqual([0, 1, 2]);
  });

  it('keeps the earliest of two results that a broken record holds, in whichever order they are read', () => {
    const drafts = [
      ...story,
      draft(session, 'ToolResultCommitted', facts.result('a', { outcome: 'failed' })),
    ];
    const events = writeDown(drafts);
    const outcomeOf = (some: readonly WritEvent[]) =>
      toCanonical(fold(some)).turns[0]?.steps[0]?.calls[0]?.outcome;
    expect(outcomeOf(events)).toBe('unknown');
    const callsLast = [...events].sort((a, b) => Number(a.stream !== session) - Number(b.stream !== session));
    expect(outcomeOf(callsLast)).toBe('unknown');
  });

  it('has null for arguments that are no object, and the raw text as it was sent', () => {
    for (const raw of [
      '{"a":',
      '[1]',
      '"x"',
      '{"a":"\\ud800"}',
      `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`,
    ]) {
      const drafts = [
        ...story.slice(0, 4),
        draft(session, 'ToolCallStaged', facts.staged('a', { rawArguments: raw })),
      ];
      const shown = toCanonical(fold(writeDown(drafts))).turns[0]?.steps[0]?.calls[0];
      expect(shown).toMatchObject({ args: null, rawArguments: raw });
    }
  });

  it('has null for what was refused as arguments because it reads in two ways, and the object for what broke a schema', () => {
    const argsOf = (rawArguments: string, rule = 'arguments') => {
      const staged = facts.staged('a', { rawArguments, verdict: 'refused', rule });
      const drafts = [...story.slice(0, 4), draft(session, 'ToolCallStaged', staged)];
      return toCanonical(fold(writeDown(drafts))).turns[0]?.steps[0]?.calls[0]?.args;
    };
    expect(argsOf('{"a":1,"a":2}')).toBeNull();
    expect(argsOf('{"n":12345678901234567890}')).toBeNull();
    expect(argsOf('{"__proto__":{"x":1}}')).toBeNull();
    expect(argsOf('{"a":{"b":":","c":[1,{"d":"\\\\"}]}}')).toEqual({ a: { b: ':', c: [1, { d: '\\' }] } });
    expect(argsOf('{"n":1e300}', 'policy[0]')).toEqual({ n: 1e300 });
    expect(argsOf('')).toEqual({});
  });
});
