import {
  audited,
  call,
  Client,
  eventually,
  patient,
  placeOf,
  Scene,
  startWorld,
  type Reply,
  type World,
} from './world';

jest.setTimeout(180_000);

const orchestrators = ['turn-orchestrator-1', 'turn-orchestrator-2'] as const;
const executors = ['tool-executor-1', 'tool-executor-2'] as const;
const services = [...orchestrators, ...executors, 'approval-service-1'] as const;
const stores = ['nats-server', 'event-store'] as const;

/** Processes end, one after the other or all at once, under turns that run. */
describe('a restart', () => {
  let world: World;
  let scene: Scene;
  let other: Client;
  beforeAll(async () => {
    world = await startWorld({
      orchestrators: 2,
      executors: 2,
      env: { ...patient, WRIT_UNCLAIMED_MS: '60000' },
    });
    scene = new Scene(world);
    const { hostname, port } = new URL(world.stack.addresses.orchestrator ?? '');
    other = new Client(`http://${hostname}:${Number(port) + 10}`);
  });
  afterAll(() => world.close());
  afterEach(() => scene.restore(...stores, ...services));
  afterEach(async () => expect((await audited(world.stack.addresses.eventstore)).findings).toEqual([]));

  /** Two calls side by side, then one alone, then the answer. */
  const threeSteps = (messages: readonly unknown[]): Reply => {
    const { input, replies } = placeOf(messages);
    const write = (name: string) => call('probe_write', { k: `${input}/${name}`, ms: 400 });
    if (replies === 0) return { calls: [write('a'), write('b')] };
    return replies === 1 ? { calls: [write('c')] } : { text: `done ${input}` };
  };
  const effectsOf = (input: string) => ['a', 'b', 'c'].map((name) => world.probe.countOf(`${input}/${name}`));
  const startTurns = (count: number, name: string) =>
    Promise.all(
      Array.from({ length: count }, async (_, index) => {
        const client = index % 2 === 0 ? world.client : other;
        const input = `${name}-${index}`;
        const sessionId = await client.openSession();
        return { input, sessionId, turnId: await client.startTurn(sessionId, input) };
      }),
    );
  type Started = Awaited<ReturnType<typeof startTurns>>[number];
  /** Reconcilable effects whose executors are known to be gone: every turn completes, every effect once. */
  const allComplete = async (turns: readonly Started[]) => {
    for (const { input, sessionId, turnId } of turns)
      expect(await world.client.ended(sessionId, turnId, 90_000)).toMatchObject({
        status: 'completed',
        finalText: `done ${input}`,
        openCalls: [],
      });
    expect(turns.map(({ input }) => effectsOf(input))).toEqual(turns.map(() => [1, 1, 1]));
    for (const { sessionId } of turns) await scene.isLegal(sessionId);
  };
  const underWay = (turns: readonly Started[]) =>
    eventually('the first effects', () => turns.some(({ input }) => effectsOf(input).includes(1)));

  it('of everything at once, killed: every turn goes on from its record, every effect once', async () => {
    const { model, stack } = world;
    model.otherwise(threeSteps);
    const turns = await startTurns(6, 'all');
    await underWay(turns);
    await Promise.all([...stores, ...services].map((name) => stack.kill(name)));
    for (const name of services) await stack.launch(name);
    await scene.revive(...stores, ...services);
    await allComplete(turns);
  });

  it('of one service after the other, as an operator does it, is not noticed by any turn', async () => {
    const { model, stack } = world;
    model.otherwise(threeSteps);
    const turns: Started[] = [];
    for (const name of services) {
      const some = await startTurns(2, `rolling-${name}`);
      turns.push(...some);
      await underWay(some);
      await stack.stop(name);
      await scene.revive(name);
    }
    await allComplete(turns);
  });

  it('of its owner hands a session over at once, in the middle of a call', async () => {
    const { client, model, probe, stack } = world;
    model.says({ calls: [call('probe_once', { k: 'handed', hold: 'then' })] }, { text: 'done' });
    const sessionId = await client.openSession();
    const turnId = await client.startTurn(sessionId, 'handed');
    await eventually('the effect', () => probe.countOf('handed') === 1);
    await stack.stop(orchestrators[0]);
    expect(await stack.waitForExit(orchestrators[0])).toMatchObject({ code: 0, signal: null });
    await eventually('the other has taken it over', () =>
      scene.logged(orchestrators[1], 'session_taken_over', sessionId),
    );
    probe.release();
    expect(await other.ended(sessionId, turnId)).toMatchObject({ status: 'completed', finalText: 'done' });
    expect(await other.calls(sessionId)).toMatchObject([
      { outcome: 'succeeded', effect: 'applied', epochs: [0] },
    ]);
    expect(probe.countOf('handed')).toBe(1);
    expect(scene.asked('handed')).toBe(2);
  });

  it.each([
    ['that ends in time is recorded by the one that stops', 'ends', true, { outcome: 'succeeded' }],
    ['that does not is stopped, and recorded as that', 'stays', false, { outcome: 'interrupted' }],
  ])('of an executor: a tool %s', async (_which, k, ends, result) => {
    const { client, model, probe, stack } = world;
    model.says({ calls: [call('probe_write', { k, hold: 'then' })] }, { text: 'done' });
    const sessionId = await client.openSession();
    const turnId = await client.startTurn(sessionId, k);
    await eventually('the effect', () => probe.countOf(k) === 1);
    const [running] = await client.calls(sessionId);
    const holder = executors.find((name) => scene.logged(name, 'tool_started', running?.callId ?? ''));
    if (holder === undefined) throw new Error('nobody runs it');
    const stopping = stack.stop(holder);
    if (ends) probe.release();
    await stopping;
    expect(await stack.waitForExit(holder)).toMatchObject({ code: 0, signal: null });
    expect((await client.ended(sessionId, turnId)).status).toBe('completed');
    expect(await client.calls(sessionId)).toMatchObject([{ ...result, effect: 'applied', epochs: [0] }]);
    expect(probe.countOf(k)).toBe(1);
  });
});
