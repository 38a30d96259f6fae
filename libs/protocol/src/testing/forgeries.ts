/** Histories that break one rule of the audit each, and nothing else. */
import type { EventData, EventType } from '@writ/contracts';
import * as facts from './facts';
import { goodHistory } from './good-history';
import { draft, type Draft } from './log';

const s1 = 'session-s1';

/** The good history with one event changed: that of a stream and type, the n-th (from 0) where there are more. */
export function forged<T extends EventType>(
  [stream, type, nth = 0]: readonly [string, T, number?],
  change: Partial<EventData<T>>,
  entry: Partial<Draft> = {},
): Draft[] {
  const target = goodHistory.filter((one) => one.stream === stream && one.type === type)[nth];
  if (!target) throw new Error(`no ${type} in ${stream}`);
  return goodHistory.map((one) =>
    one === target ? { ...one, data: { ...one.data, ...change }, ...entry } : one,
  );
}

/** The good history with the event of `which` moved to stand before (or directly behind) that of `where`. */
function moved(which: [string, EventType], where: [string, EventType, number], behind = false): Draft[] {
  const find = ([stream, type, nth = 0]: [string, EventType, number?]): Draft | undefined =>
    goodHistory.filter((entry) => entry.stream === stream && entry.type === type)[nth];
  const [moving, target] = [find(which), find(where)];
  if (!moving || !target) throw new Error('nothing to move');
  return goodHistory.flatMap((entry) => {
    if (entry === moving) return [];
    if (entry !== target) return [entry];
    return behind ? [entry, moving] : [moving, entry];
  });
}

const takenOver = (
  given: Partial<EventData<'ToolExecutionTakenOver'>>,
): EventData<'ToolExecutionTakenOver'> => ({
  callId: 'b',
  instance: 'tool-executor.e2#0',
  supersededEpoch: 2,
  leaseEnded: { stream: 'lease-tool-executor.e1.0', revision: 1 },
  holder: 'gone',
  ...given,
});
const nextTurn = [
  draft(s1, 'SessionLeaseAcquired', { sessionId: 's1', instance: facts.owner, why: 'turn_started' }),
  draft(s1, 'TurnStarted', facts.turn({ turnId: 't4' }), facts.byOwner(29)),
];
const stagedAgain = [
  draft(
    s1,
    'AssistantMessageRecorded',
    facts.message(1, {
      turnId: 't4',
      results: [{ callId: 'h', stream: 'toolcall-h', revision: 1, digest: facts.digest('f') }],
    }),
    facts.byOwner(29),
  ),
  draft(s1, 'ToolCallStaged', facts.staged('g', { turnId: 't4' }), facts.byOwner(29)),
];
const namedBySecondMessage = [
  { callId: 'a', stream: 'toolcall-a', revision: 1, digest: facts.digest('f') },
  { callId: 'b', stream: 'toolcall-b', revision: 6, digest: facts.digest('f') },
  { callId: 'c', stream: s1, revision: 8, digest: facts.digest('f') },
  { callId: 'd', stream: 'toolcall-d', revision: 5, digest: facts.digest('f') },
];

/** Histories that break one rule each, and nothing else. */
export const forgeries: Record<string, Record<string, readonly Draft[]>> = {
  A1: {
    'a start with another digest than was staged': forged(['toolcall-a', 'ToolExecutionStarted'], {
      argsDigest: facts.digest('9'),
    }),
    'a start that names another revision': forged(['toolcall-a', 'ToolExecutionStarted'], {
      stagedRevision: 5,
    }),
    'a start with another definition': forged(['toolcall-a', 'ToolExecutionStarted'], {
      definitionDigest: facts.digest('9'),
    }),
    'a start in front of its staging': moved(
      ['toolcall-a', 'ToolExecutionStarted'],
      [s1, 'AssistantMessageRecorded', 0],
    ),
  },
  A2: {
    'a second result': [
      ...goodHistory,
      draft('toolcall-g', 'ToolResultCommitted', facts.result('g', { outcome: 'skipped', effect: 'none' })),
    ],
    'a result of a call that nobody staged': [
      ...goodHistory,
      draft('toolcall-x', 'ToolResultCommitted', facts.result('x', { outcome: 'skipped', effect: 'none' })),
    ],
    'a call that goes on after its result': [
      ...goodHistory,
      draft('toolcall-g', 'ApprovalRequested', facts.approvalRequest('g', 12)),
    ],
    'a turn that starts while a call is open': [
      ...goodHistory.filter(
        (entry) => !(entry.stream === 'toolcall-h' && entry.type === 'ToolResultCommitted'),
      ),
      ...nextTurn,
    ],
    'a denied call that applied': forged(['toolcall-e', 'ToolResultCommitted'], { effect: 'applied' }),
    'an effect against its readback': forged(['toolcall-h', 'ToolResultCommitted'], { effect: 'applied' }),
  },
  A3: {
    'a message that names another digest': forged([s1, 'AssistantMessageRecorded', 1], {
      results: namedBySecondMessage.map((named) => ({ ...named, digest: facts.digest('9') })),
    }),
    'a message that leaves a call out': forged([s1, 'AssistantMessageRecorded', 1], {
      results: namedBySecondMessage.slice(0, 3),
    }),
    'a message that names another event': forged([s1, 'AssistantMessageRecorded', 1], {
      results: namedBySecondMessage.map((named) =>
        named.callId === 'b' ? { ...named, revision: 5 } : named,
      ),
    }),
    'a message that names the result of another call': forged([s1, 'AssistantMessageRecorded', 1], {
      results: namedBySecondMessage.map((named) =>
        named.callId === 'a' ? { ...named, stream: 'toolcall-b', revision: 6 } : named,
      ),
    }),
    'a message before a result that it names': moved(
      ['toolcall-g', 'ToolResultCommitted'],
      [s1, 'TurnCompleted', 0],
    ),
  },
  A4: {
    'a call that nobody granted': forged([s1, 'ToolCallStaged'], { verdict: 'ask' }),
    'a grant for another digest': forged(['toolcall-b', 'ApprovalGranted'], {
      argsDigest: facts.digest('9'),
    }),
    'a grant after its deadline': forged(['toolcall-b', 'ApprovalGranted'], {
      decidedAt: '2026-01-01T10:30:00.001Z',
    }),
    'a grant that an executor wrote': forged(
      ['toolcall-b', 'ApprovalGranted'],
      {},
      { actor: facts.byExecutor() },
    ),
    'an order by nobody': forged(['toolcall-d', 'DoubtResolved'], { by: '' }),
  },
  A5: {
    'a result under a superseded epoch': forged(['toolcall-b', 'ToolResultCommitted'], { epoch: 2 }),
    'a takeover from an epoch that is not the highest': forged(['toolcall-b', 'ToolExecutionTakenOver'], {
      supersededEpoch: 1,
    }),
    'an executor that acts under a superseded epoch': forged(
      ['toolcall-b', 'ToolResultCommitted'],
      {},
      { actor: facts.byExecutor(facts.executor, 2) },
    ),
    'the result of an executor that does not hold the call': forged(
      ['toolcall-b', 'ToolResultCommitted'],
      {},
      { actor: facts.byExecutor(facts.executor, 3) },
    ),
    'an owner that writes after its heir': forged([s1, 'TurnInterrupted'], {}, { actor: facts.byOwner(22) }),
    'an owner that writes after its release': [
      ...goodHistory,
      draft(s1, 'CallsAbandoned', { turnId: 't3', callIds: ['h'], why: 'interrupted' }, facts.byOwner(22)),
    ],
    'an heir that supersedes another epoch': forged([s1, 'SessionLeaseAcquired', 3], {
      supersedes: { epoch: 17, leaseEnded: { stream: 'lease-turn-orchestrator.o1.0', revision: 1 } },
    }),
    'an heir without the end of a lease': forged([s1, 'SessionLeaseAcquired', 3], {
      supersedes: { epoch: 22 },
    }),
    'a lease that goes on after its end': [
      ...goodHistory,
      draft('lease-tool-executor.e1.0', 'LeaseRenewed', { instance: facts.executor, ttlMs: 5_000 }),
    ],
  },
  A6: {
    'a rerun without a readback that says not applied': forged(['toolcall-b', 'ReadbackRecorded'], {
      effect: 'unknown',
    }),
    'two starts under one epoch': forged(
      ['toolcall-b', 'ReadbackRecorded'],
      {},
      {
        ...draft(
          'toolcall-b',
          'ToolExecutionStarted',
          facts.start('b', 5, {
            instance: 'tool-executor.e2#0',
            definitionDigest: facts.digest('2'),
            attempt: 2,
            epoch: 3,
          }),
        ),
      },
    ),
    'a rerun while the earlier holder may still act': forged(['toolcall-b', 'ToolExecutionTakenOver'], {
      holder: 'silent',
    }),
    'a takeover that says gone of a holder that was silent': forged(
      ['toolcall-d', 'ToolExecutionTakenOver'],
      {
        holder: 'gone',
      },
    ),
    'a takeover without the end of a lease': forged(
      ['toolcall-b', 'ToolExecutionTakenOver'],
      takenOver({ leaseEnded: { stream: 'lease-tool-executor.e9.0', revision: 1 } }),
    ),
    "a takeover on the end of another's lease": forged(['toolcall-d', 'ToolExecutionTakenOver'], {
      leaseEnded: { stream: 'lease-tool-executor.e1.0', revision: 1 },
    }),
    'an irreversible call that runs again by itself': forged(['toolcall-d', 'DoubtResolved'], {
      rerun: false,
    }),
    'an order that does not say not applied': forged(['toolcall-d', 'DoubtResolved'], { effect: 'unknown' }),
  },
  A7: {
    'a skipped call that was started': forged(['toolcall-a', 'ToolResultCommitted'], {
      outcome: 'skipped',
      effect: 'none',
    }),
    'a segment that starts before the one before it is settled': forged([s1, 'ToolCallStaged'], {
      segment: 2,
    }),
  },
  A8: {
    'a step out of order': forged([s1, 'AssistantMessageRecorded', 2], { step: 4 }),
    'a call out of its place in the batch': forged([s1, 'ToolCallStaged', 1], { index: 2 }),
    'a call staged twice': [...goodHistory, ...nextTurn, ...stagedAgain],
  },
};
