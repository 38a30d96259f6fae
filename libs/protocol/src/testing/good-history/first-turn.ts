/** The turn whose batch is run, approved, refused, taken over, held and ordered again; then denied, expired and skipped. */
import * as facts from '../facts';
import { draft, type Draft } from '../log';
import {
  by,
  definitions,
  desk,
  e1Lease,
  e2,
  e2Lease,
  e2again,
  executor,
  mail,
  owner,
  results,
  s1,
  started,
  transfer,
} from './cast';

/** Session s1, revisions 0 to 8: `a` runs, `b` is approved, `c` is refused, `d` comes in the next segment. */
const firstStep: readonly Draft[] = [
  draft(
    s1,
    'SessionOpened',
    facts.opened({ instructions: 'You are careful.', metadata: { ticket: 7 } }),
    facts.byOwner(),
  ),
  draft(
    s1,
    'SessionLeaseAcquired',
    { sessionId: 's1', instance: owner, why: 'turn_started' },
    facts.byOwner(),
  ),
  draft(s1, 'TurnStarted', facts.turn({ idempotencyKey: 'order-1' }), by(1)),
  draft(
    s1,
    'AssistantMessageRecorded',
    facts.message(1, { text: 'Four things.', usage: { promptTokens: 90, completionTokens: 40 } }),
    by(1),
  ),
  draft(s1, 'ToolCallStaged', facts.staged('a'), by(1)),
  draft(
    s1,
    'ToolCallStaged',
    facts.staged('b', {
      ...transfer,
      index: 1,
      verdict: 'ask',
      rule: 'policy[1]',
      approvalDeadlineMs: 600_000,
    }),
    by(1),
  ),
  draft(
    s1,
    'ToolCallStaged',
    {
      ...{
        callId: 'c',
        sessionId: 's1',
        turnId: 't1',
        step: 1,
        index: 2,
        providerCallId: '',
        nameSent: 'rm -rf',
        tool: null,
      },
      ...{ rawArguments: '{"path":', argsDigest: facts.digest('5'), verdict: 'refused', rule: 'visibility' },
      ...{ reason: 'no such tool', onDoubt: 'tell_model', idempotencyKey: 'key-c' },
    },
    by(1),
  ),
  draft(
    s1,
    'ToolCallStaged',
    facts.staged('d', { ...mail, index: 3, segment: 1, onDoubt: 'hold_for_person' }),
    by(1),
  ),
  draft(
    s1,
    'ToolResultCommitted',
    facts.result('c', { outcome: 'refused', effect: 'none', code: 'unknown_tool' }),
    by(1),
  ),
];

/** `a` runs at once; `b` is granted, loses its executor, is read back and runs again. */
const firstSegment: readonly Draft[] = [
  draft(
    'toolcall-b',
    'ApprovalRequested',
    facts.approvalRequest('b', 5, { reason: 'moves money' }),
    facts.byDesk,
  ),
  draft('toolcall-a', 'ToolExecutionStarted', facts.start('a', 4), facts.byExecutor()),
  draft(
    'toolcall-a',
    'ToolResultCommitted',
    facts.result('a', {
      epoch: 0,
      content: [
        { type: 'text', text: 'written' },
        { type: 'json', value: { bytes: 12, tags: ['new', null, true, 0.5] } },
        { type: 'blob', mediaType: 'image/png', size: 3, sha256: facts.digest('6'), preview: 'a dot' },
      ],
    }),
    facts.byExecutor(executor, 0),
  ),
  draft('toolcall-b', 'ApprovalGranted', facts.decision('b', { comment: 'go on' }), facts.byDesk),
  draft(
    'toolcall-b',
    'ToolExecutionStarted',
    facts.start('b', 5, { definitionDigest: definitions.transfer }),
    facts.byExecutor(),
  ),
  draft(e1Lease, 'LeaseEnded', { instance: executor, reason: 'gone', by: e2 }, facts.byExecutor(e2)),
  draft(
    'toolcall-b',
    'ToolExecutionTakenOver',
    {
      callId: 'b',
      instance: e2,
      supersededEpoch: 2,
      leaseEnded: { stream: e1Lease, revision: 1 },
      holder: 'gone',
    },
    facts.byExecutor(e2, 2),
  ),
  draft(
    'toolcall-b',
    'ReadbackRecorded',
    { callId: 'b', epoch: 3, effect: 'not_applied', evidence: { found: 0 } },
    facts.byExecutor(e2, 3),
  ),
  draft(
    'toolcall-b',
    'ToolExecutionStarted',
    facts.start('b', 5, { instance: e2, definitionDigest: definitions.transfer, attempt: 2, epoch: 3 }),
    facts.byExecutor(e2, 3),
  ),
  draft('toolcall-b', 'ToolResultCommitted', facts.result('b', { epoch: 3 }), facts.byExecutor(e2, 3)),
  draft(
    'toolcall-b',
    'LateDecisionRecorded',
    { callId: 'b', by: 'bob', decidedAt: '2026-01-01T10:06:00.000Z', answer: 'deny', comment: 'too late' },
    facts.byDesk,
  ),
];

/** `d` is lost to silence, held, ordered to run again by a person, and its first holder comes back late. */
const secondSegment: readonly Draft[] = [
  draft(
    'toolcall-d',
    'ToolExecutionStarted',
    facts.start('d', 7, { instance: e2, definitionDigest: definitions.mail }),
    facts.byExecutor(e2),
  ),
  draft(e2Lease, 'LeaseRenewed', { instance: e2, ttlMs: 5_000 }),
  started('tool-executor', 'e2', 23),
  draft(e2Lease, 'LeaseEnded', { instance: e2, reason: 'silent', by: e2again }, facts.byExecutor(e2again)),
  draft(
    'toolcall-d',
    'ToolExecutionTakenOver',
    {
      callId: 'd',
      instance: e2again,
      supersededEpoch: 0,
      leaseEnded: { stream: e2Lease, revision: 1 },
      holder: 'silent',
    },
    facts.byExecutor(e2again, 0),
  ),
  draft(
    'toolcall-d',
    'DoubtHeld',
    { callId: 'd', epoch: 1, deadline: '2026-01-02T10:00:00.000Z', evidence: ['its holder fell silent'] },
    facts.byExecutor(e2again, 1),
  ),
  draft(
    'toolcall-d',
    'DoubtResolved',
    {
      callId: 'd',
      by: 'ann',
      authentication: 'local',
      effect: 'not_applied',
      evidence: 'the outbox is empty',
      rerun: true,
    },
    facts.byDesk,
  ),
  draft(
    'toolcall-d',
    'ToolExecutionStarted',
    facts.start('d', 7, { instance: e2again, definitionDigest: definitions.mail, attempt: 2 }),
    facts.byExecutor(e2again),
  ),
  draft('toolcall-d', 'ToolResultCommitted', facts.result('d', { epoch: 4 }), facts.byExecutor(e2again, 4)),
  draft('toolcall-d', 'LateResultRecorded', { ...facts.result('d'), epoch: 0 }, facts.byExecutor(e2)),
];

/** Revisions 9 to 16: one call denied, one expired, one that nobody claimed; then the answer. */
const secondStep: readonly Draft[] = [
  draft(
    s1,
    'AssistantMessageRecorded',
    facts.message(2, { results: results(['a', 1], ['b', 6], ['c', 8, s1], ['d', 5]) }),
    by(1),
  ),
  draft(s1, 'ToolCallStaged', facts.staged('e', { step: 2, verdict: 'ask', rule: 'policy[1]' }), by(1)),
  draft(
    s1,
    'ToolCallStaged',
    facts.staged('f', { step: 2, index: 1, verdict: 'ask', rule: 'policy[1]' }),
    by(1),
  ),
  draft(s1, 'ToolCallStaged', facts.staged('g', { step: 2, index: 2 }), by(1)),
  draft('toolcall-e', 'ApprovalRequested', facts.approvalRequest('e', 10), facts.byDesk),
  draft('toolcall-f', 'ApprovalRequested', facts.approvalRequest('f', 11), facts.byDesk),
  draft('toolcall-e', 'ApprovalDenied', facts.decision('e', { comment: 'not today' }), facts.byDesk),
  draft(
    'toolcall-e',
    'ToolResultCommitted',
    facts.result('e', { outcome: 'denied', effect: 'none', content: [{ type: 'text', text: 'not today' }] }),
    facts.byDesk,
  ),
  draft(
    'toolcall-f',
    'ApprovalExpired',
    facts.decision('f', { by: desk, authentication: 'none', decidedAt: '2026-01-01T10:30:01.000Z' }),
    facts.byDesk,
  ),
  draft(
    'toolcall-f',
    'ToolResultCommitted',
    facts.result('f', { outcome: 'expired', effect: 'none', content: [] }),
    facts.byDesk,
  ),
  draft(s1, 'CallsAbandoned', { turnId: 't1', callIds: ['g'], why: 'unclaimed' }, by(1)),
  draft(
    'toolcall-g',
    'ToolResultCommitted',
    facts.result('g', { outcome: 'skipped', effect: 'none', code: 'unclaimed' }),
    by(1),
  ),
  draft(
    s1,
    'AssistantMessageRecorded',
    facts.message(3, { text: 'Done.', finishReason: 'stop', results: results(['e', 2], ['f', 2], ['g', 0]) }),
    by(1),
  ),
  draft(s1, 'TurnCompleted', { turnId: 't1', finalText: 'Done.' }, by(1)),
  draft(s1, 'SessionLeaseReleased', { sessionId: 's1', instance: owner, why: 'turn_ended' }, by(1)),
];
export const firstTurn: readonly Draft[] = [...firstStep, ...firstSegment, ...secondSegment, ...secondStep];
