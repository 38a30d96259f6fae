import type { RecordedEvent } from '@writ/contracts';
import { inDoubt, pendingApprovals, sessionItems } from '@writ/protocol';
import { explain } from './explain';
import { readInstances, readManifests, readWork } from './overview';
import { replay } from './replay';
import { goldenHistory, storeOf, unreachable } from './testing/golden-store';

const store = storeOf(goldenHistory());
const away = storeOf(goldenHistory(), () => unreachable);

describe('a replay', () => {
  it('gives the same bytes in whichever order and however often events come', async () => {
    const whole = await replay(store, 's1');
    expect(whole).toMatchObject({
      outcome: 'replayed',
      ok: true,
      digest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
    });
    const earlier = await replay(store, 's1', { at: '2000' });
    expect(earlier).toMatchObject({ ok: true, position: '2000' });
    expect(JSON.stringify(earlier)).not.toBe(JSON.stringify(whole));
  });

  it('says not found and unavailable apart', async () => {
    expect(await replay(store, 'nobody')).toEqual({ outcome: 'not_found' });
    expect(await replay(away, 's1')).toEqual(unreachable);
  });
});

describe('an explanation', () => {
  const typesOf = async (callId: string) => {
    const story = await explain(store, callId);
    return story.outcome === 'explained' ? story.events.map(({ type }) => type) : story.outcome;
  };

  it('tells a call from its staging on, in log order', async () => {
    expect(await typesOf('b')).toEqual([
      'ToolCallStaged',
      'ApprovalRequested',
      'ApprovalGranted',
      'ToolExecutionStarted',
      'ToolExecutionTakenOver',
      'ReadbackRecorded',
      'ToolExecutionStarted',
      'ToolResultCommitted',
      'LateDecisionRecorded',
    ]);
    expect(await typesOf('g')).toEqual(['ToolCallStaged', 'CallsAbandoned', 'ToolResultCommitted']);
  });

  it('finds a refused call, which has no stream of its own', async () => {
    expect(await typesOf('c')).toEqual(['ToolCallStaged', 'ToolResultCommitted']);
  });

  it('says not found, damaged and unavailable apart', async () => {
    expect(await typesOf('nobody')).toBe('not_found');
    const damaged = goldenHistory().map((event): RecordedEvent =>
      event.stream === 'toolcall-g' ? { ...event, data: 1 } : event,
    );
    expect(await explain(storeOf(damaged), 'g')).toMatchObject({ outcome: 'damaged' });
    expect(await explain(away, 'b')).toEqual(unreachable);
  });
});

describe('the lists', () => {
  it('have the sessions, approvals and doubts of the whole log', async () => {
    const read = await readWork(store);
    if (read.outcome !== 'work') throw new Error(read.outcome);
    expect(sessionItems(read.work).map(({ sessionId, status }) => [sessionId, status])).toEqual([
      ['s2', 'waiting_for_person'],
      ['s1', 'idle'],
    ]);
    expect(pendingApprovals(read.work).map(({ callId }) => callId)).toEqual(['z']);
    expect(inDoubt(read.work)).toEqual([]);
  });

  it('have the newest incarnation of each instance and what its lease last said', async () => {
    const read = await readInstances(store);
    const rows = read.outcome === 'instances' ? read.instances : [];
    expect(rows.map(({ instance, lease }) => [instance, lease.status])).toEqual([
      ['approval-service.a1#0', 'none'],
      ['tool-executor.e1#0', 'ended'],
      ['tool-executor.e2#1', 'none'],
      ['turn-orchestrator.o1#0', 'ended'],
      ['turn-orchestrator.o2#0', 'none'],
    ]);
    expect(rows[1]?.lease).toMatchObject({ reason: 'gone', by: 'tool-executor.e2#0' });
  });

  it('have the newest manifest of each pool', async () => {
    const read = await readManifests(store);
    const manifests = read.outcome === 'manifests' ? read.manifests : [];
    expect(manifests.map(({ pool, tools }) => [pool, tools.map(({ name }) => name)])).toEqual([
      ['default', ['write_file', 'transfer_funds', 'send_mail']],
    ]);
  });

  it('say that the store cannot be read', async () => {
    expect(await readWork(away)).toEqual(unreachable);
    expect(await readInstances(away)).toEqual(unreachable);
    expect(await readManifests(away)).toEqual(unreachable);
  });
});
