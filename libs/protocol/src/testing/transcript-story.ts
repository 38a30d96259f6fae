import * as facts from './facts';
import { draft, type Draft } from './log';

const session = 'session-s1';
const call = (id: string): string => `toolcall-${id}`;

/** A turn with a batch of three (one run, one approved, one refused), then a final text. */
export const story: readonly Draft[] = [
  draft(session, 'SessionOpened', facts.opened({ instructions: 'You are careful.' })),
  draft(session, 'SessionLeaseAcquired', { sessionId: 's1', instance: facts.owner, why: 'turn_started' }),
  draft(session, 'TurnStarted', facts.turn()),
  draft(session, 'AssistantMessageRecorded', facts.message(1, { text: 'Three things.' })),
  draft(session, 'ToolCallStaged', facts.staged('a')),
  draft(session, 'ToolCallStaged', facts.staged('b', { index: 1, verdict: 'ask', rule: 'policy[1]' })),
  draft(
    session,
    'ToolCallStaged',
    facts.staged('c', { index: 2, verdict: 'refused', tool: null, nameSent: 'rm -rf' }),
  ),
  draft(
    session,
    'ToolResultCommitted',
    facts.result('c', { outcome: 'refused', effect: 'none', code: 'unknown_tool' }),
  ),
  draft(call('b'), 'ApprovalRequested', facts.approvalRequest('b', 5)),
  draft(call('a'), 'ToolExecutionStarted', facts.start('a', 4), facts.byExecutor()),
  draft(call('b'), 'ApprovalGranted', facts.decision('b', { comment: 'go on' })),
  draft(call('b'), 'ToolExecutionStarted', facts.start('b', 5), facts.byExecutor()),
  draft(call('b'), 'ToolResultCommitted', facts.result('b', { epoch: 2 })),
  draft(call('a'), 'ToolExecutionTakenOver', {
    callId: 'a',
    instance: facts.heir,
    supersededEpoch: 0,
    leaseEnded: { stream: 'lease-tool-executor.e1.0', revision: 1 },
    holder: 'gone',
  }),
  draft(
    call('a'),
    'ToolResultCommitted',
    facts.result('a', { outcome: 'unknown', effect: 'unknown', epoch: 1 }),
  ),
  draft(call('a'), 'LateResultRecorded', { ...facts.result('a'), epoch: 0 }, facts.byExecutor()),
  draft(session, 'AssistantMessageRecorded', facts.message(2, { text: 'Done.', finishReason: 'stop' })),
  draft(session, 'TurnCompleted', { turnId: 't1', finalText: 'Done.' }),
];
