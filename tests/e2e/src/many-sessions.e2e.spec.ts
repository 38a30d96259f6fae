import { readFileSync } from 'node:fs';
import { approvalListSchema, sessionListSchema } from '@writ/contracts';
import {
  audited,
  call,
  Client,
  cloneSession,
  eventually,
  patient,
  Scene,
  startWorld,
  withStore,
} from './world';
import type { World } from './world';

jest.setTimeout(600_000);

/** How many sessions with an open turn; ten thousand take a few minutes: `MANY_SESSIONS=10000 npx jest many-sessions`. */
const sessions = Number(process.env['MANY_SESSIONS'] ?? 500);
const [first, second] = ['turn-orchestrator-1', 'turn-orchestrator-2'] as const;
/** One of ten is the first orchestrator's. */
const own = sessions / 10;

/** Turns that wait for a person are open for days, so a restart finds many of them. */
describe('many sessions with open turns', () => {
  let world: World;
  let scene: Scene;
  beforeAll(async () => {
    world = await startWorld({ orchestrators: 2, env: { ...patient, WRIT_LEASE_TTL_MS: '15000' } });
    scene = new Scene(world);
  });
  afterAll(() => world.close());

  const otherBase = (): string => {
    const { hostname, port } = new URL(world.stack.addresses.orchestrator ?? '');
    return `http://${hostname}:${Number(port) + 10}`;
  };
  const store = () => world.stack.addresses.eventstore;
  const residentMiB = (name: string): number => {
    const pid = world.stack.processes.find((process) => process.name === name)?.pid;
    const [, kib] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Math.round(Number(kib) / 1024);
  };

  async function waitingSession(client: Client): Promise<{ sessionId: string; callId: string }> {
    world.model.says({ calls: [call('probe_ask', { k: 'waits' })] });
    const sessionId = await client.openSession();
    await client.startTurn(sessionId, 'waits');
    const callId = await eventually('the call waits for a person', async () => {
      const answer = await fetch(`${world.stack.addresses.approvals}/v1/approvals?status=pending`);
      const { items } = approvalListSchema.parse(await answer.json());
      return items.find((item) => item.sessionId === sessionId)?.callId;
    });
    return { sessionId, callId };
  }

  const acquired = (name: string): number => scene.linesOf(name, 'session_taken_over').length;
  const listed = async (base: string): Promise<number> => {
    const answer = await fetch(`${base}/v1/sessions?limit=100`);
    return answer.status === 200 ? sessionListSchema.parse(await answer.json()).items.length : 0;
  };

  it('a restart takes over what was its own and reads nothing of the others', async () => {
    const mine = await waitingSession(world.client);
    const theirs = await waitingSession(new Client(otherBase()));
    await withStore(store(), async (log) => {
      await cloneSession(log, { ...mine, count: own });
      await cloneSession(log, { ...theirs, count: sessions - own });
    });
    await eventually(
      'both know of them',
      async () => (await listed(otherBase())) === Math.min(100, sessions + 2),
      60_000,
    );
    // The second is frozen: only the first may act, and the second's lease stands meanwhile.
    world.stack.signal(second, 'SIGSTOP');
    await world.stack.kill(first);
    await world.stack.faults.arm({ on: 'read', stream: 'session-', do: 'delay', ms: 0 });
    const restartedAt = Date.now();
    await scene.revive(first);
    await eventually('its own are taken over', () => acquired(first) === own + 1, 60_000);
    const tookMs = Date.now() - restartedAt;
    const reads = Math.max(...(await world.stack.faults.hits()).values());
    world.stack.signal(second, 'SIGCONT');
    await world.stack.faults.heal();
    expect(reads).toBeLessThanOrEqual(2 * (own + 1));
    process.stderr.write(
      `${own} of ${sessions} sessions taken over ${tookMs} ms after the start, ${reads} session reads; ` +
        `resident: ${residentMiB(first)} MiB there, ${residentMiB(second)} MiB where the others are\n`,
    );
  });

  it('a death hands all of them to the one that is left', async () => {
    const before = acquired(first);
    await world.stack.kill(second);
    const killedAt = Date.now();
    await eventually('all are taken over', () => acquired(first) - before >= sessions - own + 1, 300_000);
    process.stderr.write(
      `${acquired(first) - before} sessions taken over ${Date.now() - killedAt} ms after the death; ` +
        `resident: ${residentMiB(first)} MiB\n`,
    );
    expect((await audited(store())).findings).toEqual([]);
  });
});
