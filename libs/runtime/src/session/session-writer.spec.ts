import { sessionStream } from '@writ/contracts';
import { appendSealed } from '../journal/append';
import { seal } from '../journal/seal';
import type { EventStore } from '../ports';
import { countingEntropy, silentLog, toldClock } from '../testing/edge';
import { LossyStore } from '../testing/lossy-store';
import { SessionMemory } from './session-memory';
import { writeSession } from './session-writer';

const context = { actor: { service: 'turn-orchestrator' as const }, correlationId: 's1' };
const digest = `sha256:${'a'.repeat(64)}`;

/** A session on record, and a store that says of every append that it only repeats one. */
async function setUp() {
  const stored = new LossyStore();
  const edge = { clock: toldClock(), entropy: countingEntropy() };
  const opened = {
    type: 'SessionOpened' as const,
    data: {
      ...{ sessionId: 's1', tenant: 'default', platform: 'api', toolsets: [], disabledToolsets: [] },
      ...{ policyDigest: digest, openedBy: 'unauthenticated' },
    },
  };
  const head = { stream: sessionStream('s1'), revision: 'no_stream' as const, lastDigest: null };
  await appendSealed(stored, seal(edge, head, { drafts: [opened], context }));
  const loaded = await SessionMemory.load(stored, 's1');
  if (loaded.outcome !== 'session') throw new Error(loaded.outcome);
  const { session } = loaded.memory;
  const store: Pick<EventStore, 'append'> = {
    append: async (...given) => {
      const outcome = await stored.append(...given);
      return outcome.outcome === 'acknowledged' ? { ...outcome, repeated: true } : outcome;
    },
  };
  const ports = {
    ...edge,
    log: silentLog,
    crash: { pass: () => undefined },
    store: Object.assign(Object.create(stored) as LossyStore, store),
  };
  const startTurn = () =>
    writeSession(ports, session, {
      context,
      command: {
        ...{ type: 'StartTurn', turnId: 't1', input: 'go', requestDigest: digest, openCalls: [] },
        ...{ instance: 'turn-orchestrator.o1#0' },
        budgets: {
          ...{ steps: 1, callsPerTurn: 1, callsPerBatch: 1, delegates: 1 },
          ...{ wallTimeMs: 1_000, roundTimeMs: 1_000 },
        },
      },
    });
  return { stored, startTurn };
}

describe('an append to a session of which the store says that it was written before', () => {
  it('stands where it is the last of the stream', async () => {
    const { startTurn } = await setUp();
    expect(await startTurn()).toMatchObject({ result: 'stands' });
  });

  it('is neither standing nor overtaken where the stream cannot be read: nobody knows', async () => {
    const { stored, startTurn } = await setUp();
    stored.away = true;
    expect(await startTurn()).toMatchObject({ result: 'unknown', cause: 'store_unavailable' });
  });
});
