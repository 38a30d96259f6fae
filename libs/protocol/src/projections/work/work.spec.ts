import { sessionItemSchema, workStateSchema, type WritEvent } from '@writ/contracts';
import * as facts from '../../testing/facts';
import { draft, writeDown, type Draft } from '../../testing/log';
import { emptyWork, foldWork, inDoubt, openSessions, pendingApprovals, sessionItems, unclaimed } from '.';

const session = 'session-s1';
const leaseOfE1 = 'lease-tool-executor.e1.0';
const takenOver = {
  callId: 'a',
  instance: facts.heir,
  supersededEpoch: 0,
  leaseEnded: { stream: leaseOfE1, revision: 0 },
  holder: 'silent' as const,
};

const story: readonly Draft[] = [
  draft(session, 'SessionOpened', facts.opened()),
  draft(session, 'SessionLeaseAcquired', { sessionId: 's1', instance: facts.owner, why: 'turn_started' }),
  draft(session, 'TurnStarted', facts.turn()),
  draft(session, 'AssistantMessageRecorded', facts.message(1)),
  draft(session, 'ToolCallStaged', facts.staged('a', { onDoubt: 'hold_for_person' })),
  draft(session, 'ToolCallStaged', facts.staged('b', { index: 1, verdict: 'ask' })),
  draft(session, 'ToolCallStaged', facts.staged('c', { index: 2, verdict: 'refused' })),
  draft(session, 'ToolResultCommitted', facts.result('c', { outcome: 'refused', effect: 'none' })),
  draft('toolcall-b', 'ApprovalRequested', facts.approvalRequest('b', 5)),
  draft('toolcall-a', 'ToolExecutionStarted', facts.start('a', 4)),
  draft('toolcall-b', 'ApprovalGranted', facts.decision('b')),
  draft('toolcall-b', 'ToolResultCommitted', facts.result('b')),
  draft(leaseOfE1, 'LeaseEnded', { instance: facts.executor, reason: 'silent', by: facts.heir }),
  draft('toolcall-a', 'ToolExecutionTakenOver', takenOver),
  draft('toolcall-a', 'DoubtHeld', {
    callId: 'a',
    epoch: 1,
    deadline: '2026-01-02T10:00:00.000Z',
    evidence: [],
  }),
  draft(
    'toolcall-a',
    'ToolResultCommitted',
    facts.result('a', { outcome: 'unknown', effect: 'unknown', epoch: 1 }),
  ),
  draft(session, 'TurnCompleted', { turnId: 't1', finalText: 'Done.' }),
  draft(session, 'SessionLeaseReleased', { sessionId: 's1', instance: facts.owner, why: 'turn_ended' }),
];
const events = writeDown(story);
const fold = (some: readonly WritEvent[]) => some.reduce(foldWork, emptyWork());
const after = (count: number) => fold(events.slice(0, count));

describe('the open work', () => {
  it('rebuilt from zero is the same bytes as one that went on from its file, at every point and with repeats', () => {
    const whole = JSON.stringify(fold(events));
    for (let cut = 0; cut <= events.length; cut += 1) {
      const file: unknown = JSON.parse(JSON.stringify(after(cut)));
      const rest = events.slice(Math.max(0, cut - 3));
      expect(JSON.stringify(rest.reduce(foldWork, workStateSchema.parse(file)))).toBe(whole);
    }
  });

  it('lists a session as running, waiting for a person, and idle, with its counts', () => {
    const itemAfter = (count: number) => sessionItems(after(count))[0];
    expect(itemAfter(1)).toMatchObject({ status: 'idle', openCalls: 0 });
    expect(itemAfter(4)).toMatchObject({ status: 'running', openCalls: 0 });
    expect(itemAfter(8)).toMatchObject({ status: 'waiting_for_person', openCalls: 2, inDoubtCalls: 0 });
    expect(itemAfter(12)).toMatchObject({ status: 'running', openCalls: 1, inDoubtCalls: 0 });
    expect(itemAfter(13)).toMatchObject({ status: 'running', openCalls: 1, inDoubtCalls: 1 });
    expect(itemAfter(15)).toMatchObject({ status: 'waiting_for_person', inDoubtCalls: 1 });
    expect(itemAfter(18)).toEqual({
      sessionId: 's1',
      openedAt: '2026-01-01T10:00:00.000Z',
      lastEventAt: '2026-01-01T10:00:17.000Z',
      status: 'idle',
      openCalls: 0,
      inDoubtCalls: 0,
    });
    sessionItemSchema.parse(itemAfter(18));
  });

  it('names the holder of an open session until it is released or superseded', () => {
    expect(openSessions(after(1))).toEqual([]);
    expect(openSessions(after(5))[0]).toMatchObject({
      sessionId: 's1',
      lease: { instance: facts.owner, epoch: 1 },
      turn: { turnId: 't1' },
    });
    expect(openSessions(after(18))).toEqual([]);
    const turnEnded = openSessions(after(17));
    expect(turnEnded).toMatchObject([{ lease: { instance: facts.owner }, calls: [] }]);
    expect(turnEnded[0]?.turn).toBeUndefined();
    expect(sessionItems(after(17))[0]?.status).toBe('idle');
    const released = draft(session, 'SessionLeaseReleased', {
      sessionId: 's1',
      instance: facts.owner,
      why: 'shutdown',
    });
    expect(openSessions(fold(writeDown([...story.slice(0, 6), released])))[0]?.lease).toBeUndefined();
  });

  it('keeps an approval pending from its staging until a grant or a result', () => {
    const pendingAfter = (count: number) => pendingApprovals(after(count)).map(({ callId }) => callId);
    expect(pendingAfter(6)).toEqual(['b']);
    expect(pendingApprovals(after(9))[0]).toMatchObject({
      sessionId: 's1',
      stagedRevision: 5,
      asked: { requested: { deadline: '2026-01-01T10:30:00.000Z' } },
    });
    expect(pendingAfter(11)).toEqual([]);
    const skipped = draft('toolcall-b', 'ToolResultCommitted', facts.result('b', { outcome: 'skipped' }));
    expect(pendingApprovals(fold(writeDown([...story.slice(0, 9), skipped])))).toEqual([]);
  });

  it('has a call unclaimed from when an executor may claim it until one does, and again once a person wants a rerun', () => {
    const unclaimedAfter = (count: number) => unclaimed(after(count)).map(({ callId }) => callId);
    expect(unclaimed(after(5))).toMatchObject([
      { callId: 'a', sessionId: 's1', quietSince: '2026-01-01T10:00:04.000Z' },
    ]);
    expect(unclaimedAfter(10)).toEqual([]);
    expect(unclaimedAfter(11)).toEqual(['b']);
    expect(unclaimedAfter(12)).toEqual([]);
    expect(unclaimedAfter(15)).toEqual([]);
    const order = draft('toolcall-a', 'DoubtResolved', {
      callId: 'a',
      by: 'anna',
      authentication: 'local',
      effect: 'not_applied',
      evidence: {},
      rerun: true,
    });
    expect(unclaimed(fold(writeDown([...story.slice(0, 15), order])))).toMatchObject([{ callId: 'a' }]);
    const later = draft(session, 'ToolCallStaged', facts.staged('d', { index: 3, segment: 1 }));
    expect(unclaimed(fold(writeDown([...story.slice(0, 5), later])))).toMatchObject([{ callId: 'a' }]);
  });

  it("has a call in doubt from the end of its holder's lease until it is settled or runs again", () => {
    const doubtAfter = (count: number) => inDoubt(after(count)).map(({ callId }) => callId);
    expect(doubtAfter(12)).toEqual([]);
    expect(doubtAfter(13)).toEqual(['a']);
    expect(inDoubt(after(15))[0]).toMatchObject({ held: { epoch: 1 }, holder: { instance: facts.heir } });
    expect(doubtAfter(16)).toEqual([]);
    const rerun = draft(
      'toolcall-a',
      'ToolExecutionStarted',
      facts.start('a', 4, { attempt: 2, epoch: 1, instance: facts.heir }),
    );
    expect(inDoubt(fold(writeDown([...story.slice(0, 14), rerun])))).toEqual([]);
    const released = draft(leaseOfE1, 'LeaseEnded', {
      instance: facts.executor,
      reason: 'released',
      by: facts.executor,
    });
    expect(inDoubt(fold(writeDown([...story.slice(0, 12), released])))).toEqual([]);
  });

  it('keeps nothing of settled calls but their number', () => {
    const state = fold(events);
    expect(JSON.stringify(state)).not.toContain('toolcall');
    expect(state.idle.flat().flatMap((bucket) => Object.values(bucket))).toMatchObject([
      { calls: [], settledCalls: 3 },
    ]);
  });

  it('pages sessions newest first', () => {
    const ids = ['s1', 's2', 's3', 's4'];
    const state = fold(
      writeDown(ids.map((id) => draft(`session-${id}`, 'SessionOpened', facts.opened({ sessionId: id })))),
    );
    const page = (after?: string) =>
      sessionItems(state, { after, limit: 3 }).map(({ sessionId }) => sessionId);
    expect(page()).toEqual(['s4', 's3', 's2']);
    expect(page('s2')).toEqual(['s1']);
    expect(page('nobody')).toEqual([]);
  });
});
