import { rejected } from '../decision';
import { claim, commit } from '../testing/call-world';
import { sessionId } from '../testing/facts';
import { holding, round, startedTurn, startTurn, step } from '../testing/session-world';
import type { SessionDecision } from './decide';

const types = (decision: SessionDecision): readonly string[] =>
  decision.kind === 'accepted' ? decision.events.map(({ type }) => type) : [decision.kind];

describe('a step', () => {
  it('is one append: message, every call in order, a result for each refused one (R5)', () => {
    const world = startedTurn();
    const command = step(world, [
      { callId: 'a' },
      { callId: 'b', verdict: 'refused', tool: null },
      { callId: 'c' },
    ]);
    expect(types(world.asked(command))).toEqual([
      'AssistantMessageRecorded',
      'ToolCallStaged',
      'ToolCallStaged',
      'ToolCallStaged',
      'ToolResultCommitted',
    ]);
    const recorded = world.did(command);
    expect(recorded.session).toMatchObject({
      replies: 1,
      turn: { steps: 1 },
      step: { step: 1, callIds: ['a', 'b', 'c'] },
    });
    expect(recorded.callState('b').status).toBe('settled');
  });

  it('without calls ends turn and lease in the same append', () => {
    const world = startedTurn();
    const final = step(world, [], { text: 'Done.' });
    expect(types(world.asked(final))).toEqual([
      'AssistantMessageRecorded',
      'TurnCompleted',
      'SessionLeaseReleased',
    ]);
    expect(world.did(final).session).toMatchObject({
      lease: null,
      turn: { status: 'completed', finalText: 'Done.' },
    });
  });

  it('is the next one, of the open turn, within its budget', () => {
    const world = startedTurn({ steps: 1 });
    const command = step(world, [{ callId: 'a' }]);
    if (command.type !== 'RecordStep') throw new Error('no step');
    const wrong = { ...command, message: { ...command.message, step: 2 } };
    expect(world.asked(wrong)).toEqual(rejected('step_must_be_next'));
    expect(world.asked({ ...command, message: { ...command.message, turnId: 't9' } })).toEqual(
      rejected('turn_must_be_open'),
    );
    const used = world
      .did(command)
      .call('a', claim({ stagedRevision: 4 }))
      .call('a', commit());
    expect(used.asked(step(used, [{ callId: 'b' }]))).toEqual(rejected('steps_must_fit_budget'));
  });

  it('names the result of every call of the step before, in call order (A3)', () => {
    const world = round([{ callId: 'a' }, { callId: 'b', verdict: 'refused', tool: null }]);
    const settled = world.call('a', claim({ stagedRevision: 4 })).call('a', commit());
    const next = step(settled, [{ callId: 'c' }]);
    if (next.type !== 'RecordStep') throw new Error('no step');
    expect(next.message.results).toMatchObject([
      { callId: 'a', stream: 'toolcall-a', revision: 1 },
      { callId: 'b', stream: 'session-s1', revision: 6 },
    ]);
    expect(settled.asked(next).kind).toBe('accepted');
    for (const results of [[], next.message.results.slice(1), [...next.message.results].reverse()])
      expect(settled.asked({ ...next, message: { ...next.message, results } })).toEqual(
        rejected('results_must_be_complete'),
      );
  });

  it('of a later turn still names what the turn before it left unsaid', () => {
    const world = round([{ callId: 'a' }]);
    const settled = world.call('a', claim({ stagedRevision: 4 })).call('a', commit());
    const end = { type: 'TurnFailed', code: 'model_failed', message: 'm' } as const;
    const ended = settled.did({ type: 'EndTurn', ...holding(settled), turnId: 't1', end, openCalls: [] });
    const next = ended.did(startTurn({ turnId: 't2' }));
    const first = step(next, []);
    if (first.type !== 'RecordStep') throw new Error('no step');
    expect(first.message.results).toMatchObject([{ callId: 'a' }]);
    expect(next.asked(first).kind).toBe('accepted');
  });

  it('stages its own calls, once each, with a result for the refused ones and no others (R5, R11)', () => {
    const world = startedTurn();
    const command = step(world, [{ callId: 'a' }, { callId: 'b', verdict: 'refused', tool: null }]);
    if (command.type !== 'RecordStep') throw new Error('no step');
    const [a, b] = command.staged;
    if (a === undefined || b === undefined) throw new Error('no calls');
    for (const staged of [
      [b, a],
      [a, { ...b, callId: 'a' }],
      [a, { ...b, sessionId: 's9' }],
      [a, { ...b, step: 4 }],
    ])
      expect(world.asked({ ...command, staged })).toEqual(rejected('calls_must_be_staged_in_order'));
    expect(world.asked({ ...command, refusedResults: [] })).toEqual(rejected('refusals_must_have_results'));
    const ran = command.refusedResults.map((result) => ({ ...result, outcome: 'failed' as const }));
    expect(world.asked({ ...command, refusedResults: ran })).toEqual(rejected('refusals_must_have_results'));
  });

  it('never stages a call again', () => {
    const before = round([{ callId: 'a', verdict: 'refused', tool: null }]);
    expect(before.asked(step(before, [{ callId: 'b' }])).kind).toBe('accepted');
    expect(before.asked(step(before, [{ callId: 'a' }]))).toEqual(rejected('calls_must_be_staged_in_order'));
  });

  it('throws where a call that may run lacks what its run needs', () => {
    const world = startedTurn();
    expect(() => world.asked(step(world, [{ callId: 'a', pool: undefined }]))).toThrow('lacks its terms');
  });
});

describe('compaction (R13)', () => {
  const world = round([{ callId: 'a' }, { callId: 'r', verdict: 'refused', tool: null }]);
  const compact = (throughRevision: number, openCalls: readonly string[] = []) =>
    ({ type: 'CompactContext', ...holding(world), throughRevision, summary: 's', openCalls }) as const;

  it('cuts before or after a whole step, never inside it', () => {
    const first = world.journal
      .of(`session-${sessionId}`)
      .findIndex(({ type }) => type === 'AssistantMessageRecorded');
    const last = world.session.revision;
    for (let at = 0; at <= last; at += 1) {
      const whole = at < first || at === last;
      expect([at, world.asked(compact(at)).kind]).toEqual([at, whole ? 'accepted' : 'rejected']);
    }
  });

  it('never runs inside an open round, goes back, or reaches into the future', () => {
    const last = world.session.revision;
    expect(world.asked(compact(last, ['a']))).toEqual(rejected('compaction_must_keep_rounds_whole'));
    expect(world.asked(compact(last + 1))).toEqual(rejected('compaction_must_keep_rounds_whole'));
    const compacted = world.did(compact(last));
    expect(compacted.session.compacted).toEqual({ throughRevision: last, summary: 's' });
    expect(compacted.asked(compact(last)).kind).toBe('rejected');
    expect(compacted.asked(compact(2))).toEqual(rejected('compaction_must_keep_rounds_whole'));
  });
});
