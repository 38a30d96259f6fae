import { callStream, sessionStream, type EventData, type PublishedTool } from '@writ/contracts';
import { argumentsDigest } from '../arguments';
import { appendSealed } from '../journal/append';
import { seal } from '../journal/seal';
import { LeaseKeeper } from '../lease/lease-keeper';
import { LeaseWatch } from '../lease/lease-watch';
import type { Clock, ToolRunner } from '../ports';
import { countingEntropy, silentBus, silentLog, toldClock } from '../testing/edge';
import { LossyStore } from '../testing/lossy-store';
import { visibleTool } from '../testing/tools';
import { CallExecutor } from './call-executor';

const sessionId = 's1';
const callId = 'c1';
const wake = { version: 1 as const, sessionId, callId, stagedRevision: 0 };

/** Says which streams are read. */
class CountedStore extends LossyStore {
  readonly reads: string[] = [];

  override readStream(...asked: Parameters<LossyStore['readStream']>) {
    this.reads.push(asked[0]);
    return super.readStream(...asked);
  }
}

function stagedData(tool: PublishedTool, verdict: 'allowed' | 'ask'): EventData<'ToolCallStaged'> {
  const { name, definitionDigest, effectClass } = tool;
  return {
    ...{ callId, sessionId, turnId: 't1', step: 1, index: 0, providerCallId: 'p1', nameSent: name },
    ...{ tool: name, rawArguments: '{}', definitionDigest, effectClass, pool: 'default', segment: 0 },
    argsDigest: argumentsDigest({ tool: name, definitionDigest, args: {} }),
    ...{ timeoutMs: 1_000, verdict, rule: 'policy[0]', onDoubt: 'tell_model', idempotencyKey: 'k1' },
  };
}

async function worldWith(given: { hasCheck?: boolean; verdict?: 'allowed' | 'ask' } = {}) {
  const { verdict = 'allowed', ...definition } = given;
  const store = new CountedStore();
  const clock = toldClock();
  const entropy = countingEntropy();
  const crash = { pass: () => undefined };
  const edge = { store, clock, entropy, log: silentLog, crash };
  const tool = visibleTool('book', definition);
  const context = { actor: { service: 'turn-orchestrator' as const }, correlationId: sessionId };
  const head = { stream: sessionStream(sessionId), revision: 'no_stream' as const, lastDigest: null };
  const drafts = [{ type: 'ToolCallStaged' as const, data: stagedData(tool, verdict) }];
  await appendSealed(store, seal(edge, head, { drafts, context }));
  const ran: string[] = [];
  const toolRun = { ends: Promise.resolve() };
  const executorNamed = async (name: string, waits: Partial<Clock> = {}): Promise<CallExecutor> => {
    const host = { name: 'h', bootId: 'b' };
    const started = { service: 'tool-executor' as const, name, version: '0', host, pid: 1 };
    const lease = new LeaseKeeper({
      ...edge,
      started: { ...started, sockets: { process: '/s' } },
      ttlMs: 5_000,
      onLost: () => undefined,
    });
    await lease.begin();
    const probe = { probe: () => Promise.resolve('alive' as const) };
    const onChange = () => undefined;
    const watch = new LeaseWatch({ ...edge, probe, ttlMs: 5_000, context: () => context, onChange });
    const ports = {
      ...edge,
      clock: { ...clock, ...waits },
      lease,
      watch,
      bus: silentBus,
      runner: runnerNoting(name, ran, toolRun),
    };
    return new CallExecutor(ports, { pool: 'default', slots: 8, tools: new Map([['book', tool]]) });
  };
  return { store, clock, ran, toolRun, executorNamed };
}

const runnerNoting = (name: string, ran: string[], tool: { ends: Promise<void> }): ToolRunner => ({
  run: () => {
    ran.push(name);
    const result = tool.ends.then(() => ({ status: 'returned' as const, content: [] }));
    return { result, kill: () => undefined };
  },
  check: () => Promise.resolve({ ok: true }),
  readback: () => Promise.resolve({ effect: 'unknown', evidence: null }),
  extend: () => undefined,
  rest: () => undefined,
  killAll: () => Promise.resolve(),
});

const settled = async (executor: CallExecutor): Promise<void> => {
  for (let turns = 0; turns < 1_000 && executor.free() < 8; turns += 1) await Promise.resolve();
};

describe('an executor that is woken for an allowed call', () => {
  it('reads the staged event and nothing else before it claims', async () => {
    const { store, ran, executorNamed } = await worldWith();
    const executor = await executorNamed('e1');
    store.reads.length = 0;
    expect(await executor.handle(wake)).toEqual({ verdict: 'ack' });
    await settled(executor);
    expect(store.reads).toEqual([sessionStream(sessionId)]);
    expect(store.types(callStream(callId))).toEqual(['ToolExecutionStarted', 'ToolResultCommitted']);
    expect(ran).toEqual(['e1']);
  });

  it('runs nothing where the claim it makes unread meets one that is there (R16)', async () => {
    const { store, ran, toolRun, executorNamed } = await worldWith();
    const [first, second] = [await executorNamed('e1'), await executorNamed('e2')];
    let end = (): void => undefined;
    toolRun.ends = new Promise((resolve) => (end = resolve));
    expect(await first.handle(wake)).toEqual({ verdict: 'ack' });
    expect(await second.handle(wake)).toEqual({ verdict: 'ack' });
    end();
    await Promise.all([settled(first), settled(second)]);
    expect(ran).toEqual(['e1']);
    expect(store.types(callStream(callId))).toEqual(['ToolExecutionStarted', 'ToolResultCommitted']);
  });

  it('does not run what it learns to have claimed only when its time is over, and settles it (R10)', async () => {
    const { store, clock, ran, executorNamed } = await worldWith();
    const sleep = (): Promise<void> => Promise.resolve(clock.advance(60_000));
    const executor = await executorNamed('e1', { sleep });
    store.next.push('heard', 'unheard');
    await executor.handle(wake);
    await settled(executor);
    expect(store.types(callStream(callId))).toEqual(['ToolExecutionStarted', 'ToolResultCommitted']);
    expect(ran).toEqual([]);
    const page = await store.readStream(callStream(callId), {
      direction: 'backwards',
      from: 'end',
      maxCount: 1,
    });
    expect(page).toMatchObject({ events: [{ data: { outcome: 'interrupted', effect: 'none' } }] });
  });

  it.each([{ hasCheck: true }, { verdict: 'ask' as const }])(
    'reads its stream first where more than the staged event decides: %j',
    async (given) => {
      const { store, executorNamed } = await worldWith(given);
      const executor = await executorNamed('e1');
      store.reads.length = 0;
      await executor.handle(wake);
      expect(store.reads).toEqual([sessionStream(sessionId), callStream(callId)]);
    },
  );
});
