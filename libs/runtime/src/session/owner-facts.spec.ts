import type { EventData, WritEvent } from '@writ/contracts';
import { callFromStaged, evolveCall, type CallState } from '@writ/protocol';
import type { HolderLease } from '../lease/lease-watch';
import { toldClock } from '../testing/edge';
import { OwnerFactsBook } from './owner-facts';

const digest = `sha256:${'a'.repeat(64)}`;
const holder = 'tool-executor.e1#0';
const metadata = {
  $correlationId: 's1',
  schemaVersion: 1,
  at: '2026-01-01T00:00:00.000Z',
  actor: { service: 'turn-orchestrator' },
  predecessor: digest,
  digest,
} as const;

const ready = (callId: string, given: Partial<EventData<'ToolCallStaged'>> = {}): CallState =>
  callFromStaged({
    ...{ id: callId, stream: 'session-s1', revision: 4, position: '4', type: 'ToolCallStaged', metadata },
    data: {
      ...{ callId, sessionId: 's1', turnId: 't1', step: 1, index: 0, providerCallId: callId },
      ...{
        nameSent: 'write',
        tool: 'write',
        rawArguments: '{}',
        argsDigest: digest,
        definitionDigest: digest,
      },
      ...{ pool: 'default', effectClass: 'idempotent', segment: 0, timeoutMs: 60_000 },
      ...{ verdict: 'allowed', rule: 'policy[0]', onDoubt: 'tell_model', idempotencyKey: callId },
      ...given,
    },
  });

const running = (callId: string): CallState => {
  const started: WritEvent<'ToolExecutionStarted'> = {
    ...{ id: `${callId}-start`, stream: `toolcall-${callId}`, revision: 0, position: '9', metadata },
    type: 'ToolExecutionStarted',
    data: {
      ...{ callId, sessionId: 's1', stagedRevision: 4, instance: holder, pool: 'default' },
      ...{ argsDigest: digest, definitionDigest: digest, attempt: 1, idempotencyKey: callId },
      deadline: '2026-01-01T00:01:00.000Z',
    },
  };
  return evolveCall(ready(callId), started);
};

const inEpoch = (epoch: number, call: CallState): CallState =>
  call.status === 'running' ? { ...call, epoch } : call;

function bookWith(watch: { status?: HolderLease; seenAtMs?: () => number | undefined } = {}) {
  const clock = toldClock();
  const { status = { status: 'live' } } = watch;
  const book = new OwnerFactsBook(
    { clock, watch: { status: () => status, poolSeenAtMs: () => watch.seenAtMs?.() } },
    { commitGraceMs: 1, unclaimedMs: 1 },
    'turn-orchestrator.o1#0',
  );
  /** For how long the pool has been silent, as the owner of these open calls counts it. */
  const silentMs = (calls: readonly CallState[], pool = 'default') =>
    book.facts(calls, false).unclaimedForMs(pool);
  const runningMs = (calls: readonly CallState[], callId = 'a') =>
    book.facts(calls, false).runningForMs(callId);
  return { clock, silentMs, runningMs };
}

const ended: HolderLease = {
  status: 'ended',
  end: { stream: 'lease-tool-executor.e1.0', revision: 1, reason: 'gone' },
};

describe('how long a call counts as running', () => {
  it('is counted from when this owner first saw it run, whatever the holder wrote about time', () => {
    const { clock, runningMs } = bookWith();
    expect(runningMs([ready('a')])).toBe(0);
    clock.advance(3_000);
    expect(runningMs([running('a')])).toBe(0);
    clock.advance(2_000);
    expect(runningMs([running('a'), running('b')])).toBe(2_000);
    expect(runningMs([running('a'), running('b')], 'b')).toBe(0);
  });

  it('begins anew in another epoch, and where it has not run meanwhile', () => {
    const { clock, runningMs } = bookWith();
    runningMs([running('a')]);
    clock.advance(2_000);
    expect(runningMs([inEpoch(2, running('a'))])).toBe(0);
    clock.advance(1_000);
    runningMs([]);
    expect(runningMs([running('a')])).toBe(0);
  });
});

describe('how long a pool counts as silent', () => {
  it('is counted from when a call waits for it', () => {
    const { clock, silentMs } = bookWith();
    expect(silentMs([ready('a')])).toBe(0);
    clock.advance(3_000);
    expect(silentMs([ready('a')])).toBe(3_000);
    expect(silentMs([ready('a')], 'gpu')).toBe(0);
  });

  it('begins anew where nothing has waited meanwhile: an idle pool renews nothing', () => {
    const { clock, silentMs } = bookWith();
    silentMs([ready('a')]);
    clock.advance(1_000);
    silentMs([]);
    clock.advance(60_000);
    expect(silentMs([ready('b')])).toBe(0);
  });

  it('does not run while a call of a later segment waits for its turn', () => {
    const { clock, silentMs } = bookWith();
    const later = ready('b', { pool: 'gpu', segment: 1 });
    silentMs([running('a'), later], 'gpu');
    clock.advance(60_000);
    expect(silentMs([running('a'), later], 'gpu')).toBe(0);
    expect(silentMs([later], 'gpu')).toBe(0);
    clock.advance(2_000);
    expect(silentMs([later], 'gpu')).toBe(2_000);
  });

  it('runs for a started call whose holder is lost, also where this owner never saw the pool', () => {
    const { clock, silentMs } = bookWith({ status: ended });
    silentMs([running('a')]);
    clock.advance(4_000);
    expect(silentMs([running('a')])).toBe(4_000);
  });

  it('is cut short by every renewal that is seen', () => {
    const seen: { atMs?: number } = {};
    const { clock, silentMs } = bookWith({ seenAtMs: () => seen.atMs });
    silentMs([ready('a')]);
    clock.advance(4_000);
    seen.atMs = clock.monotonicMs() - 500;
    expect(silentMs([ready('a')])).toBe(500);
  });
});
