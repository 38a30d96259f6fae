import { callStream, type EventData, type NewEvent } from '@writ/contracts';
import {
  callId,
  claim,
  commit,
  deny,
  hold,
  newCall,
  orderRerun,
  readBack,
  request,
  stagedEvent,
  takeOver,
  type CallWorld,
} from '../testing/call-world';
import { approvalRequest, decision, executor, heir, result, start } from '../testing/facts';
import { after, Journal } from '../testing/journal';
import { evolveCall, foldCall } from './evolve';
import { callFromStaged } from './state';

describe('the state of a call', () => {
  it('begins with its staged event', () => {
    expect(newCall().state).toMatchObject({
      status: 'ready',
      revision: 'no_stream',
      epochs: [],
      attempts: 0,
    });
    expect(newCall({ verdict: 'ask' }).state.status).toBe('awaiting_approval');
    const { event, journal } = stagedEvent({
      verdict: 'refused',
      tool: null,
      pool: undefined,
      segment: undefined,
    });
    const [refused] = journal.append(event.stream, [
      { type: 'ToolResultCommitted', data: result(callId, { outcome: 'refused', effect: 'none' }) },
    ]);
    if (refused?.type !== 'ToolResultCommitted') throw new Error('no result');
    const state = callFromStaged(event, refused);
    expect(state).toMatchObject({
      status: 'settled',
      revision: 'no_stream',
      result: { outcome: 'refused', stream: 'session-s1', revision: 1 },
    });
    expect(() => callFromStaged(event)).toThrow('only a refused call is settled in its session');
  });

  it('throws where a call that may run lacks its terms', () => {
    for (const missing of ['pool', 'definitionDigest', 'effectClass', 'segment', 'timeoutMs'] as const)
      expect(() => newCall({ [missing]: undefined })).toThrow('lacks its terms');
  });

  it('names the staged event as the predecessor of its first own event', () => {
    const { event } = stagedEvent();
    expect(newCall().state.lastDigest).toBe(event.metadata.digest);
    const claimed = newCall().did(claim());
    expect(claimed.state.lastDigest).toBe(claimed.journal.events.at(-1)?.metadata.digest);
  });

  it('is the same whether it is folded at once or followed event by event', () => {
    const world = newCall({ verdict: 'ask' }).did(request()).did(deny());
    const { event } = stagedEvent({ verdict: 'ask' });
    expect(foldCall(event, world.journal.of(callStream(callId)))).toEqual(world.state);
  });

  it('has the fields of its status and no others', () => {
    const held = newCall({ effectClass: 'irreversible', onDoubt: 'hold_for_person' })
      .did(claim())
      .did(takeOver())
      .did(readBack('unknown'))
      .did(hold());
    expect(Object.keys(held.did(orderRerun).state).sort()).toEqual([
      'attempts',
      'callId',
      'epochs',
      'index',
      'lastDigest',
      'late',
      'order',
      'revision',
      'sessionId',
      'silentRun',
      'staged',
      'status',
      'step',
      'terms',
      'turnId',
      'waits',
    ]);
    expect(newCall().did(claim()).did(commit()).state).not.toHaveProperty('holder');
  });
});

describe('an event that cannot be the next', () => {
  const running = newCall().did(claim());

  it('throws: another stream, revision, predecessor or call', () => {
    const [next] = running.journal
      .fork()
      .append(callStream(callId), [{ type: 'ToolResultCommitted', data: result(callId, { epoch: 0 }) }]);
    if (next === undefined) throw new Error('nothing appended');
    expect(evolveCall(running.state, next).status).toBe('settled');
    expect(() => evolveCall(running.state, { ...next, stream: 'toolcall-c2' })).toThrow('another stream');
    expect(() => evolveCall(running.state, { ...next, revision: 4 })).toThrow('revision 4 where 1 was due');
    const metadata = { ...next.metadata, predecessor: null };
    expect(() => evolveCall(running.state, { ...next, metadata })).toThrow('another predecessor');
  });

  it('throws: a stream that does not begin at revision 0', () => {
    const journal = new Journal();
    journal.append(callStream(callId), [{ type: 'ToolExecutionStarted', data: start(callId, 0) }]);
    const [second] = journal.append(callStream(callId), [
      { type: 'ToolResultCommitted', data: result(callId) },
    ]);
    const { event } = stagedEvent();
    expect(() => foldCall(event, second ? [second] : [])).toThrow('revision 1 where 0 was due');
  });

  it('throws: a second result, a second start under one epoch, a result under a superseded one (R4, A5, A6)', () => {
    const second: EventData<'ToolResultCommitted'> = result(callId, { epoch: 0 });
    expect(() => running.did(commit()).holds({ type: 'ToolResultCommitted', data: second })).toThrow(
      'after the result',
    );
    expect(() =>
      running.holds({ type: 'ToolExecutionStarted', data: start(callId, 0, { attempt: 2 }) }),
    ).toThrow('does not fit');
    expect(() => running.did(takeOver()).holds({ type: 'ToolResultCommitted', data: second })).toThrow(
      'does not fit',
    );
    expect(() =>
      running
        .did(takeOver())
        .holds({ type: 'ToolExecutionStarted', data: start(callId, 0, { attempt: 2, epoch: 0 }) }),
    ).toThrow('does not fit');
  });

  const asking = newCall({ verdict: 'ask' });
  const requested = asking.did(request());
  const taken = running.did(takeOver());
  const held = newCall({ effectClass: 'irreversible', onDoubt: 'hold_for_person' })
    .did(claim())
    .did(takeOver())
    .did(readBack('unknown'))
    .did(hold());
  const granted: NewEvent = { type: 'ApprovalGranted', data: decision(callId) };
  const denied: NewEvent = { type: 'ApprovalDenied', data: decision(callId) };
  const asked: NewEvent = { type: 'ApprovalRequested', data: approvalRequest(callId, 0) };
  const leaseEnded = { stream: 'lease-tool-executor.e1.0', revision: 1 };
  const takenOver = (supersededEpoch: number): NewEvent => ({
    type: 'ToolExecutionTakenOver',
    data: { callId, instance: heir, supersededEpoch, leaseEnded, holder: 'gone' },
  });
  const readback = (epoch: number): NewEvent => ({
    type: 'ReadbackRecorded',
    data: { callId, epoch, effect: 'unknown', evidence: null },
  });
  const doubtHeld = (epoch: number): NewEvent => ({
    type: 'DoubtHeld',
    data: { callId, epoch, deadline: after(1), evidence: [] },
  });
  const resolved: NewEvent = {
    type: 'DoubtResolved',
    data: { callId, by: 'ann', authentication: 'x', effect: 'unknown', evidence: null, rerun: false },
  };
  const started = (given: Parameters<typeof start>[2]): NewEvent => ({
    type: 'ToolExecutionStarted',
    data: start(callId, 0, given),
  });

  it.each<[string, CallWorld, NewEvent]>([
    ['a request for a call that needs none', newCall(), asked],
    ['a second request', requested, asked],
    ['a decision that nobody was asked for', asking, granted],
    ['a decision on a call that needs none', newCall(), granted],
    ['a second decision', requested.holds(denied), granted],
    ['a start before the grant', requested, started({})],
    ['a start that skips an attempt', newCall(), started({ attempt: 2 })],
    ['a rerun without a takeover', running, started({ attempt: 2, epoch: 0 })],
    ['a rerun under another epoch', taken, started({ attempt: 2, epoch: 0, instance: heir })],
    ['a rerun by another', taken, started({ attempt: 2, epoch: 1, instance: executor })],
    ['a rerun that claims an epoch of its own', taken, started({ attempt: 2, instance: heir })],
    ['a takeover of what nobody holds', newCall(), takenOver(0)],
    ['a takeover of a held call', held, takenOver(1)],
    ['a takeover of an older epoch', taken, takenOver(0)],
    ['a readback outside a reconciliation', running, readback(0)],
    ['a readback under another epoch', taken, readback(0)],
    ['a hold outside a reconciliation', running, doubtHeld(0)],
    ['a hold under another epoch', taken, doubtHeld(0)],
    ['a resolution of what is not held', running, resolved],
    ['a second resolution', held.holds(resolved), resolved],
    ['an event of a session', newCall(), { type: 'TurnCompleted', data: { turnId: 't1', finalText: '' } }],
  ])('throws: %s', (_, world, event) => {
    expect(() => world.holds(event)).toThrow('does not fit');
  });

  it('is none of those that come in two halves of one append', () => {
    expect(requested.holds(denied).state).toMatchObject({
      status: 'awaiting_approval',
      decision: { answer: 'denied' },
    });
    expect(held.holds(resolved).state).toMatchObject({
      status: 'held',
      resolved: 'unknown',
      readback: { effect: 'unknown' },
    });
  });
});
