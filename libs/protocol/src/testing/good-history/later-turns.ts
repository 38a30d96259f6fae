/** A turn that fails, one that an heir of its owner interrupts, and a session that still waits for a person. */
import * as facts from '../facts';
import { draft, type Draft } from '../log';
import { by, byHeir, e2again, o1Lease, owner, owner2, s1, started } from './cast';

/** Revisions 17 to 28: a turn that the model failed, and one whose owner died and whose heir was told to stop. */
export const laterTurns: readonly Draft[] = [
  draft(
    s1,
    'SessionLeaseAcquired',
    { sessionId: 's1', instance: owner, why: 'turn_started' },
    facts.byOwner(),
  ),
  draft(s1, 'TurnStarted', facts.turn({ turnId: 't2', input: 'And now?' }), by(17)),
  draft(s1, 'ContextCompacted', { throughRevision: 16, summary: 'Four things were asked for.' }, by(17)),
  draft(
    s1,
    'TurnFailed',
    {
      ...{ turnId: 't2', code: 'session_persistence_failed', cause: 'store_timeout' },
      message: 'the step could not be recorded',
    },
    by(17),
  ),
  draft(s1, 'SessionLeaseReleased', { sessionId: 's1', instance: owner, why: 'turn_ended' }, by(17)),
  draft(
    s1,
    'SessionLeaseAcquired',
    { sessionId: 's1', instance: owner, why: 'turn_started' },
    facts.byOwner(),
  ),
  draft(s1, 'TurnStarted', facts.turn({ turnId: 't3', input: 'Once more.' }), by(22)),
  draft(s1, 'AssistantMessageRecorded', facts.message(1, { turnId: 't3' }), by(22)),
  draft(s1, 'ToolCallStaged', facts.staged('h', { turnId: 't3' }), by(22)),
  draft(
    'toolcall-h',
    'ToolExecutionStarted',
    facts.start('h', 25, { instance: e2again }),
    facts.byExecutor(e2again),
  ),
  started('turn-orchestrator', 'o2', 31),
  draft(o1Lease, 'LeaseEnded', { instance: owner, reason: 'gone', by: owner2 }),
  draft(
    s1,
    'SessionLeaseAcquired',
    {
      ...{ sessionId: 's1', instance: owner2, why: 'takeover' },
      supersedes: { epoch: 22, leaseEnded: { stream: o1Lease, revision: 1 } },
    },
    { service: 'turn-orchestrator', instance: owner2 },
  ),
  draft('control-s1', 'InterruptRequested', {
    sessionId: 's1',
    turnId: 't3',
    by: 'ann',
    reason: 'changed my mind',
  }),
  draft(
    'toolcall-h',
    'ToolResultCommitted',
    facts.result('h', {
      outcome: 'interrupted',
      effect: 'none',
      epoch: 0,
      readback: { effect: 'not_applied', evidence: null },
    }),
    facts.byExecutor(e2again, 0),
  ),
  draft(s1, 'TurnInterrupted', { turnId: 't3', reason: 'changed my mind' }, byHeir(26)),
  draft(s1, 'SessionLeaseReleased', { sessionId: 's1', instance: owner2, why: 'turn_ended' }, byHeir(26)),
];

const inS2 = (entry: Draft): Draft => ({ ...entry, correlation: 's2' });
/** Session s2 waits for a person. */
export const waiting: readonly Draft[] = [
  draft('session-s2', 'SessionOpened', facts.opened({ sessionId: 's2' })),
  draft('session-s2', 'SessionLeaseAcquired', { sessionId: 's2', instance: owner2, why: 'turn_started' }),
  draft('session-s2', 'TurnStarted', facts.turn({ turnId: 't9' }), byHeir(1)),
  draft('session-s2', 'AssistantMessageRecorded', facts.message(1, { turnId: 't9' }), byHeir(1)),
  draft(
    'session-s2',
    'ToolCallStaged',
    facts.staged('z', { sessionId: 's2', turnId: 't9', verdict: 'ask' }),
    byHeir(1),
  ),
  draft('toolcall-z', 'ApprovalRequested', facts.approvalRequest('z', 4, { sessionId: 's2' }), facts.byDesk),
].map(inS2);
