import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Turn } from '@writ/contracts';
import {
  audited,
  call,
  eventually,
  metricAt,
  patient,
  placeOf,
  readinessAt,
  startWorld,
  type Reply,
  type World,
} from './world';

jest.setTimeout(180_000);

/** Longer than every patience of a publish, and than the broker client's own. Milliseconds. */
const brokerAwayMs = 30_000;
/** Twice the lease's time to live: whatever hangs on a lease must notice. Milliseconds. */
const storeAwayMs = 2 * Number(patient.WRIT_LEASE_TTL_MS);
// No executor renews a lease while nothing reaches it: a pool is lost only after longer than any outage here.
const env = { ...patient, WRIT_UNCLAIMED_MS: '60000' };
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** The broker and the store go away under turns that run, and come back. */
describe('an outage', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld({ executors: 2, env });
  });
  afterAll(() => world.close());
  afterEach(() => world.model.forget());
  afterEach(async () => expect((await audited(world.stack.addresses.eventstore)).findings).toEqual([]));

  const services = () => {
    const { orchestrator = '', executor = '', approvals = '' } = world.stack.addresses;
    return [orchestrator, executor, approvals];
  };
  const pids = () => new Map(world.stack.processes.map(({ name, pid }) => [name, pid]));
  const servicePids = () => [...pids()].filter(([name]) => name !== 'nats-server' && name !== 'event-store');

  /** Each service's word on one check; `status` of the worst. */
  const checks = async (which: 'store' | 'broker') =>
    Promise.all(
      services().map(async (base) => {
        const ready = await readinessAt(base);
        return { status: ready?.status, check: ready?.checks[which] };
      }),
    );
  /** A service that waits for its store or its broker is not to be restarted. */
  const allLive = async () => {
    for (const base of services())
      expect((await fetch(`${base}/livez`, { signal: AbortSignal.timeout(2_000) })).status).toBe(200);
  };
  /** Of each service: how often it has logged what tells an operator of an outage. */
  const logged = (...events: readonly string[]) =>
    Promise.all(
      services().map(async (base) => {
        const counts = await Promise.all(
          events.map((event) => metricAt(base, 'writ_events_total', `event="${event}"`)),
        );
        return counts.reduce<number>((sum, count) => sum + (count ?? 0), 0);
      }),
    );
  const allReady = () =>
    eventually('every service is ready again', async () =>
      (await checks('store')).every(({ status }) => status === 200),
    );

  /** Three steps: two calls side by side, one alone, the answer. Each effect is named by its turn and place. */
  const threeSteps = (messages: readonly unknown[]): Reply => {
    const { input, replies } = placeOf(messages);
    const write = (name: string, ms: number) => call('probe_write', { k: `${input}/${name}`, ms });
    if (replies === 0) return { calls: [write('a', 400), write('b', 100)] };
    return replies === 1 ? { calls: [write('c', 200)] } : { text: `done ${input}` };
  };
  const effectsOf = (input: string) => ['a', 'b', 'c'].map((name) => world.probe.countOf(`${input}/${name}`));

  async function startTurns(count: number, name: string) {
    const { client } = world;
    return Promise.all(
      Array.from({ length: count }, async (_, index) => {
        const input = `${name}-${index}`;
        const sessionId = await client.openSession();
        return { input, sessionId, turnId: await client.startTurn(sessionId, input) };
      }),
    );
  }
  type Started = Awaited<ReturnType<typeof startTurns>>[number];
  const ended = (turns: readonly Started[]): Promise<readonly Turn[]> =>
    Promise.all(turns.map(({ sessionId, turnId }) => world.client.ended(sessionId, turnId, 90_000)));
  const someEffects = (turns: readonly Started[]) =>
    eventually('the first effects', () =>
      turns.some(({ input }) => effectsOf(input).some((count) => count > 0)),
    );

  const startBroker = async () => expect(await world.stack.start('nats-server')).toBe('ready');
  it.each<[string, string, () => unknown, () => unknown]>([
    ['killed, and back on the same data', 'same', () => world.stack.kill('nats-server'), startBroker],
    [
      'killed, and back on empty storage',
      'empty',
      async () => {
        await world.stack.kill('nats-server');
        rmSync(join(world.folder, 'data', 'nats'), { recursive: true });
      },
      startBroker,
    ],
    [
      'frozen, and thawed',
      'thawed',
      () => world.stack.signal('nats-server', 'SIGSTOP'),
      () => world.stack.signal('nats-server', 'SIGCONT'),
    ],
  ])('of the broker, %s after half a minute: twenty turns complete, every effect once', async (...given) => {
    const [, name, away, back] = given;
    const { model } = world;
    model.otherwise(threeSteps);
    const before = servicePids();
    const [connected, lost] = [await logged('bus_connected'), await logged('bus_disconnected')];
    const turns = await startTurns(20, name);
    await someEffects(turns);
    await away();
    await eventually('every service says that the broker is missing', async () =>
      (await checks('broker')).every(({ status, check }) => status === 503 && check !== 'ok'),
    );
    expect((await checks('store')).map(({ check }) => check)).toEqual(['ok', 'ok', 'ok']);
    await pause(brokerAwayMs);
    await allLive();
    await back();
    for (const turn of await ended(turns))
      expect(turn).toMatchObject({ status: 'completed', finalText: `done ${turn.input}`, openCalls: [] });
    expect(turns.map(({ input }) => effectsOf(input))).toEqual(turns.map(() => [1, 1, 1]));
    await allReady();
    expect(servicePids()).toEqual(before);
    const more = async (event: string, than: readonly number[]) =>
      (await logged(event)).every((count, index) => count > (than[index] ?? 0));
    expect(await more('bus_disconnected', lost)).toBe(true);
    expect(await more('bus_connected', connected)).toBe(true);
  });

  it.each([
    [
      'frozen and thawed',
      'frozen',
      async () => world.stack.signal('event-store', 'SIGSTOP'),
      async () => world.stack.signal('event-store', 'SIGCONT'),
    ],
    [
      'killed and restarted',
      'killed',
      () => world.stack.kill('event-store'),
      async () => expect(await world.stack.start('event-store')).toBe('ready'),
    ],
  ])(
    'of the store, %s after twice the TTL: no service exits, turns end, no effect twice',
    async (...given) => {
      const [, name, away, back] = given;
      const { client, model, stack } = world;
      model.otherwise(threeSteps);
      const before = servicePids();
      const turns = await startTurns(8, name);
      const late = await client.openSession();
      await someEffects(turns);
      await away();
      await eventually('every service says that the store is missing', async () =>
        (await checks('store')).every(({ status, check }) => status === 503 && check !== 'ok'),
      );
      expect((await checks('broker')).map(({ check }) => check)).toEqual(['ok', 'ok', 'ok']);
      const refused = await client.problem('POST', `/v1/sessions/${late}/turns`, { input: 'late' });
      expect(refused).toMatchObject({ status: 503, code: 'store_unavailable' });
      const unknown = () => logged('store_append_timed_out', 'store_appends_broke_off');
      await pause(storeAwayMs);
      await allLive();
      expect(Math.max(...(await unknown()))).toBeGreaterThan(0);
      await back();
      for (const { status, failure, openCalls } of await ended(turns)) {
        expect(['completed', 'failed']).toContain(status);
        if (status === 'failed') {
          expect(failure?.code).toBe('session_persistence_failed');
          expect(['store_unavailable', 'store_timeout', 'result_not_committed']).toContain(failure?.cause);
        }
        expect(openCalls).toEqual(status === 'completed' ? [] : openCalls);
      }
      for (const { input } of turns)
        for (const count of effectsOf(input)) expect(count).toBeLessThanOrEqual(1);
      await allReady();
      expect(servicePids()).toEqual(before);
      for (const { sessionId } of turns)
        await eventually('every call is settled', async () =>
          (await client.calls(sessionId)).every(({ outcome }) => outcome !== null),
        );
      expect(stack.isAlive('event-store')).toBe(true);
      const after = await client.runTurn(late, `${name}-after`);
      expect(after).toMatchObject({ status: 'completed', finalText: `done ${name}-after` });
      expect(effectsOf(`${name}-after`)).toEqual([1, 1, 1]);
    },
  );
});
