import { join, resolve } from 'node:path';
import {
  audited,
  call,
  eventually,
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

/** How brokers redelivered, stalled and doubled work, tried here: two executors of two slots each. */
describe('the field reports: deliveries', () => {
  let world: World;
  let scene: Scene;
  beforeAll(async () => {
    world = await startWorld({ executors: 2, tools });
    scene = new Scene(world);
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

  it('F24: more calls than slots, each longer than a delivery may wait for a slot, and a long one: all run once', async () => {
    const { client, model, probe } = world;
    const keys = Array.from({ length: 10 }, (_, index) => `F24/${index}`);
    model.otherwise((messages) => {
      const { input, replies } = placeOf(messages);
      if (replies > 0) return { text: 'done' };
      if (input === 'F24-long') return { calls: [call('probe_write', { k: input, ms: 7_000 })] };
      return { calls: keys.map((k) => call('probe_write', { k, ms: 1_800 }, k)) };
    });
    for (const { sessionId, turnId } of await Promise.all(['F24-long', 'F24'].map(began))) {
      expect((await client.ended(sessionId, turnId)).status).toBe('completed');
      for (const settled of await client.calls(sessionId))
        expect(settled).toMatchObject({ outcome: 'succeeded', epochs: [0] });
    }
    expect([...keys, 'F24-long'].map((k) => probe.countOf(k))).toEqual([...keys, 'F24-long'].map(() => 1));
  });

  it('F25: what a frozen executor was given goes to the other one within a bounded time', async () => {
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

  it('F25: where every executor is frozen the call ends with a result that says so, and runs nothing later', async () => {
    const { client, model, probe, stack } = world;
    model.otherwise(oneCall);
    for (const name of executors) stack.signal(name, 'SIGSTOP');
    const { sessionId, turnId } = await began('F25-nobody');
    expect((await client.ended(sessionId, turnId)).status).toBe('completed');
    expect(await client.calls(sessionId)).toMatchObject([
      { outcome: 'skipped', effect: 'none', code: 'unclaimed', epochs: [] },
    ]);
    for (const name of executors) stack.signal(name, 'SIGCONT');
    for (const name of executors) expect(await stack.waitReady(name)).toBe('ready');
    await pause(1_000);
    expect(probe.countOf('F25-nobody')).toBe(0);
    await scene.isLegal(sessionId);
  });

  it('F26: wakes that arrive and whose acknowledgements are lost are sent again, and the call runs once', async () => {
    const { client, model, probe, stack } = world;
    const link = await OneWayLink.to(stack.addresses.nats);
    try {
      await stack.kill(orchestrator);
      expect(await stack.start(orchestrator, { WRIT_NATS_URL: link.url, WRIT_UNCLAIMED_MS: '30000' })).toBe(
        'ready',
      );
      // Nobody takes the first copy, so that there will be a second one.
      for (const name of executors) stack.signal(name, 'SIGSTOP');
      model.otherwise(oneCall);
      link.loseAnswers();
      const { input, sessionId, turnId } = await began('F26');
      const unknown = () =>
        scene.linesOf(orchestrator, 'wake_unknown').filter((line) => line.includes(sessionId)).length;
      await eventually('two wakes are without an acknowledgement', () => unknown() >= 2);
      expect(link.lost).toBeGreaterThan(0);
      link.heal();
      for (const name of executors) stack.signal(name, 'SIGCONT');
      expect((await client.ended(sessionId, turnId)).status).toBe('completed');
      await pause(1_000);
      expect(probe.countOf(input)).toBe(1);
      expect(await client.calls(sessionId)).toMatchObject([{ outcome: 'succeeded', epochs: [0] }]);
      await stack.kill(orchestrator);
    } finally {
      await link.close();
    }
  });
});
