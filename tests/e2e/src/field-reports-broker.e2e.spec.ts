import { join, resolve } from 'node:path';
import {
  audited,
  Broker,
  call,
  eventually,
  isAlive,
  metricAt,
  OneWayLink,
  placeOf,
  Scene,
  startWorld,
  type Reply,
  type World,
} from './world';

jest.setTimeout(120_000);

const orchestrator = 'turn-orchestrator-1';
const executors = ['tool-executor-1', 'tool-executor-2'] as const;
const tools = join(resolve(__dirname, '..', 'fixtures'), 'few-slots.tools.yaml');
const pause = (ms: number) => new Promise((wait) => setTimeout(wait, ms));
/** How long the broker waits for an answer where a test narrows it. Milliseconds. */
const ackWaitMs = 2_000;

/** How brokers redelivered, stalled and doubled work, tried here: two executors of two slots each. */
describe('the field reports: deliveries', () => {
  let world: World;
  let scene: Scene;
  let broker: Broker;
  beforeAll(async () => {
    world = await startWorld({ executors: 2, tools });
    scene = new Scene(world);
    broker = new Broker(world.stack.addresses.nats);
  });
  afterAll(() => world.close());
  afterEach(() => scene.restore(orchestrator, ...executors));
  afterEach(async () => expect((await audited(world.stack.addresses.eventstore)).findings).toEqual([]));

  const began = async (input: string) => {
    const sessionId = await world.client.openSession();
    return { input, sessionId, turnId: await world.client.startTurn(sessionId, input) };
  };
  /** One call whose effect is named by the turn's input, then the answer. */
  const oneCall = (messages: readonly unknown[]): Reply => {
    const { input, replies } = placeOf(messages);
    return replies === 0 ? { calls: [call('probe_write', { k: input })] } : { text: 'done' };
  };
  const executorBases = () => {
    const { hostname, port } = new URL(world.stack.addresses.executor ?? '');
    return [0, 1].map((index) => `http://${hostname}:${Number(port) + 10 * index}`);
  };
  const unclaimed = () => metricAt(world.stack.addresses.orchestrator ?? '', 'writ_unclaimed_calls');
  const quietS = async () =>
    (await metricAt(world.stack.addresses.orchestrator ?? '', 'writ_unclaimed_quiet_seconds')) ?? 0;
  /** Deliveries that came again, at both executors. */
  const redelivered = async () => {
    const counts = await Promise.all(
      executorBases().map((base) => metricAt(base, 'writ_bus', 'kind="redelivered"')),
    );
    return counts.reduce<number>((sum, count) => sum + (count ?? 0), 0);
  };

  describe('F24: an ack wait that is shorter than the work', () => {
    it('ten calls for four slots, each nearly as long as it, and one of three times its length: all run once, though a renewal is not heard', async () => {
      const { client, model, probe, stack } = world;
      await broker.narrow({ ackWaitMs });
      const before = await redelivered();
      const keys = Array.from({ length: 10 }, (_, index) => `F24/${index}`);
      model.otherwise((messages) => {
        const { input, replies } = placeOf(messages);
        if (replies > 0) return { text: 'done' };
        if (input === 'F24-long') return { calls: [call('probe_write', { k: input, ms: 7_000 })] };
        return { calls: keys.map((k) => call('probe_write', { k, ms: 1_800 }, k)) };
      });
      const turns = await Promise.all(['F24-long', 'F24'].map(began));
      await eventually('the long one is under way', () => probe.countOf('F24-long') === 1);
      await stack.faults.arm({ on: 'append', stream: 'lease-tool', do: 'delay', ms: 1_000, times: 1 });
      for (const { sessionId, turnId } of turns) {
        expect((await client.ended(sessionId, turnId)).status).toBe('completed');
        for (const settled of await client.calls(sessionId))
          expect(settled).toMatchObject({ outcome: 'succeeded', epochs: [0] });
      }
      expect([...(await stack.faults.hits()).values()]).toEqual([1]);
      expect([...keys, 'F24-long'].map((k) => probe.countOf(k))).toEqual([...keys, 'F24-long'].map(() => 1));
      // Answered once claimed, nothing expires however long it runs: the broker was as impatient to the end.
      expect(await broker.deliveries()).toMatchObject({ ackWaitMs, unanswered: 0 });
      expect((await redelivered()) - before).toBe(0);
    });

    it('a claim that takes longer than it: the delivery comes again, another claims too, and one of them holds', async () => {
      const { client, model, probe, stack } = world;
      await broker.narrow({ ackWaitMs });
      const before = await redelivered();
      model.otherwise(oneCall);
      await stack.faults.arm({ on: 'append', eventType: 'ToolExecutionStarted', do: 'hold' });
      const { input, sessionId, turnId } = await began('F24-claim');
      await scene.faultHit();
      await eventually('it is delivered again', async () => (await redelivered()) > before);
      expect(probe.countOf(input)).toBe(0);
      await stack.faults.heal();
      expect((await client.ended(sessionId, turnId)).status).toBe('completed');
      await eventually('nothing is left at the broker', async () => (await broker.deliveries()).stored === 0);
      expect(await client.calls(sessionId)).toMatchObject([{ outcome: 'succeeded', epochs: [0] }]);
      expect(probe.countOf(input)).toBe(1);
    });
  });

  describe('F25: deliveries that nobody answers', () => {
    it('what a frozen executor was given goes to the other one within a bounded time', async () => {
      const { client, model, probe, stack } = world;
      model.otherwise(oneCall);
      stack.signal(executors[0], 'SIGSTOP');
      const turns = await Promise.all(['F25a', 'F25b', 'F25c', 'F25d', 'F25e'].map(began));
      for (const { sessionId, turnId } of turns)
        expect(await client.ended(sessionId, turnId, 20_000)).toMatchObject({ status: 'completed' });
      stack.signal(executors[0], 'SIGCONT');
      for (const { sessionId } of turns)
        expect(await client.calls(sessionId)).toMatchObject([{ outcome: 'succeeded', epochs: [0] }]);
      expect(await stack.waitReady(executors[0])).toBe('ready');
      await pause(500);
      expect(turns.map(({ input }) => probe.countOf(input))).toEqual(turns.map(() => 1));
    });

    it('where the broker gives out no more than they hold, metric and health show the stall, and the next session is served all the same', async () => {
      const { client, model, probe, stack } = world;
      const [frozen, other] = executors;
      await stack.kill(orchestrator);
      expect(await stack.start(orchestrator, { WRIT_UNCLAIMED_MS: '60000' })).toBe('ready');
      await broker.narrow({ ackWaitMs: 5 * ackWaitMs, ackPending: 2 });
      // All slots are taken, then only those of one executor are free: it is given what comes next.
      const keys = ['F25-busy-0', 'F25-busy-1', 'F25-busy-2', 'F25-busy-3'];
      model.otherwise((messages) =>
        placeOf(messages).input === 'F25-busy' && placeOf(messages).replies === 0
          ? { calls: keys.map((k) => call('probe_write', { k, hold: 'then' }, k)) }
          : oneCall(messages),
      );
      const busy = await began('F25-busy');
      await eventually('all slots are taken', () => keys.every((k) => probe.countOf(k) === 1));
      const held = await client.calls(busy.sessionId);
      const keysAt = (name: string) =>
        keys.filter((_, index) => scene.logged(name, 'tool_started', held[index]?.callId ?? ''));
      for (const k of keysAt(frozen)) probe.release(k);
      await eventually('it asks for more', async () => (await broker.deliveries()).asked > 0);
      stack.signal(frozen, 'SIGSTOP');
      const stuck = await Promise.all(['F25-stuck-a', 'F25-stuck-b'].map(began));
      await eventually('both are given to it', async () => (await broker.deliveries()).unanswered === 2);
      for (const k of keysAt(other)) probe.release(k);
      const next = await began('F25-next');
      await eventually('the metric shows it', async () => (await unclaimed()) === 3 && (await quietS()) > 1);
      expect(await Promise.all(executorBases().map(isAlive))).toEqual([false, true]);
      expect((await broker.deliveries()).unanswered).toBe(2);
      expect(probe.countOf(next.input)).toBe(0);
      for (const { sessionId, turnId } of [next, ...stuck]) {
        expect(await client.ended(sessionId, turnId, 30_000)).toMatchObject({ status: 'completed' });
        expect(await client.calls(sessionId)).toMatchObject([{ outcome: 'succeeded', epochs: [0] }]);
      }
      await eventually('the metric shows its end', async () => (await unclaimed()) === 0);
      stack.signal(frozen, 'SIGCONT');
      expect(await stack.waitReady(frozen)).toBe('ready');
      await eventually('nothing is left at the broker', async () => (await broker.deliveries()).stored === 0);
      expect([next, ...stuck].map(({ input }) => probe.countOf(input))).toEqual([1, 1, 1]);
      expect((await client.ended(busy.sessionId, busy.turnId)).status).toBe('completed');
      await stack.kill(orchestrator);
    });

    it('where every executor is frozen the call ends with a result that says so, and runs nothing later', async () => {
      const { client, model, probe, stack } = world;
      model.otherwise(oneCall);
      for (const name of executors) stack.signal(name, 'SIGSTOP');
      const { sessionId, turnId } = await began('F25-nobody');
      await eventually('the metric shows it', async () => (await unclaimed()) === 1);
      expect(await Promise.all(executorBases().map(isAlive))).toEqual([false, false]);
      expect((await client.ended(sessionId, turnId)).status).toBe('completed');
      expect(await client.calls(sessionId)).toMatchObject([
        { outcome: 'skipped', effect: 'none', code: 'unclaimed', epochs: [] },
      ]);
      await eventually('the metric shows its end', async () => (await unclaimed()) === 0);
      for (const name of executors) stack.signal(name, 'SIGCONT');
      for (const name of executors) expect(await stack.waitReady(name)).toBe('ready');
      await eventually('nothing is left at the broker', async () => (await broker.deliveries()).stored === 0);
      await pause(500);
      expect(probe.countOf('F25-nobody')).toBe(0);
      await scene.isLegal(sessionId);
    });
  });

  it.each([
    ['knows the first id still', 'F26-known', 60_000],
    ['has forgotten the first id', 'F26-forgotten', 200],
  ])(
    'F26: wakes whose acknowledgements are lost for five seconds are in the stream twice, the broker %s, and the call runs once',
    async (...given) => {
      const [, input, windowMs] = given;
      const { client, model, probe, stack } = world;
      const link = await OneWayLink.to(stack.addresses.nats);
      try {
        await broker.rememberIds(windowMs);
        await stack.kill(orchestrator);
        const through = { WRIT_NATS_URL: link.url, WRIT_UNCLAIMED_MS: '30000' };
        expect(await stack.start(orchestrator, through)).toBe('ready');
        // Nobody takes the first copy, so that there will be a second one.
        for (const name of executors) stack.signal(name, 'SIGSTOP');
        model.otherwise(oneCall);
        link.loseAnswers();
        const { sessionId, turnId } = await began(input);
        const unknown = () =>
          scene.linesOf(orchestrator, 'wake_unknown').filter((line) => line.includes(sessionId)).length;
        await pause(5_000);
        await eventually('two wakes are without an acknowledgement', () => unknown() >= 2);
        expect(link.lost).toBeGreaterThan(0);
        expect((await broker.deliveries()).stored).toBeGreaterThanOrEqual(2);
        link.heal();
        for (const name of executors) stack.signal(name, 'SIGCONT');
        expect((await client.ended(sessionId, turnId)).status).toBe('completed');
        await eventually(
          'nothing is left at the broker',
          async () => (await broker.deliveries()).stored === 0,
        );
        expect(probe.countOf(input)).toBe(1);
        expect(await client.calls(sessionId)).toMatchObject([{ outcome: 'succeeded', epochs: [0] }]);
        await stack.kill(orchestrator);
      } finally {
        await link.close();
      }
    },
  );
});
