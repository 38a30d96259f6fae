import {
  audited,
  call,
  eventually,
  patient,
  rowsOf,
  Scene,
  startWorld,
  toolRowsOf,
  type World,
} from './world';

jest.setTimeout(120_000);

const orchestrator = 'turn-orchestrator-1';
const executor = 'tool-executor-1';
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** How other runtimes orphaned calls, tried here: when whoever should go on is gone (F05, F06). */
describe('the field reports: what nobody goes on with', () => {
  let world: World;
  let scene: Scene;
  beforeAll(async () => {
    world = await startWorld({ env: { ...patient, WRIT_UNCLAIMED_MS: '10000' } });
    scene = new Scene(world);
  });
  afterAll(() => world.close());
  afterEach(() => scene.restore('nats-server', orchestrator, executor));
  afterEach(async () => expect((await audited(world.stack.addresses.eventstore)).findings).toEqual([]));

  it('F05: with every result recorded and the model not asked yet, the turn goes on by itself', async () => {
    const { client, model, probe } = world;
    await scene.armCrash(orchestrator, 'K9');
    const keys = ['F05a', 'F05b'];
    model.says({ calls: keys.map((k) => call('probe_write', { k }, k)) }, { text: 'done' });
    const sessionId = await client.openSession();
    const turnId = await client.startTurn(sessionId, 'go');
    await scene.crashed(orchestrator);
    expect(model.requests).toHaveLength(1);
    const woken = () =>
      scene.linesOf(orchestrator, 'call_woken').filter((line) => line.includes(sessionId)).length;
    expect(woken()).toBe(2);
    // Nobody sends anything: not a message, not a wish to resume.
    await scene.revive(orchestrator);
    expect(await client.ended(sessionId, turnId)).toMatchObject({ status: 'completed', finalText: 'done' });
    expect(model.requests).toHaveLength(2);
    const rows = rowsOf(model.requests[1] ?? '').filter(({ role }) => role !== 'system');
    expect(rows.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'tool']);
    expect(toolRowsOf(model.requests[1] ?? '')).toEqual(
      keys.map((k) => expect.stringContaining(k) as unknown),
    );
    expect(keys.map((k) => probe.countOf(k))).toEqual([1, 1]);
    const finished = { outcome: 'succeeded', epochs: [0] };
    const { turns } = await client.transcript(sessionId);
    expect(turns).toMatchObject([{ steps: [{ calls: [finished, finished] }, { calls: [] }] }]);
    for (const type of ['TurnStarted', 'TurnCompleted'] as const)
      expect(await scene.count(sessionId, type)).toBe(1);
    expect(woken()).toBe(2);
  });

  describe('F06: a call that is on record and that nobody was told about', () => {
    it('(a) the broker is away between staging and waking', async () => {
      const { client, model, probe, stack } = world;
      model.says({ calls: [call('probe_write', { k: 'F06a' })], delayMs: 1_500 }, { text: 'done' });
      const sessionId = await client.openSession();
      const turnId = await client.startTurn(sessionId, 'go');
      await eventually('the model is asked', () => model.requests.length === 1);
      await stack.kill('nats-server');
      await eventually(
        'the call is staged',
        async () => (await scene.count(sessionId, 'ToolCallStaged')) === 1,
      );
      await eventually('a wake comes to nothing', () =>
        stack
          .output(orchestrator)
          .some((line) => line.includes('"wake_unknown"') && line.includes(sessionId)),
      );
      expect(probe.countOf('F06a')).toBe(0);
      await scene.revive('nats-server');
      expect((await client.ended(sessionId, turnId)).status).toBe('completed');
      expect(probe.countOf('F06a')).toBe(1);
    });

    it('(b) the orchestrator is killed between staging and waking', async () => {
      const { client, model, probe } = world;
      await scene.armCrash(orchestrator, 'K2');
      model.says({ calls: [call('probe_write', { k: 'F06b' })] }, { text: 'done' });
      const sessionId = await client.openSession();
      const turnId = await client.startTurn(sessionId, 'go');
      await scene.crashed(orchestrator);
      expect(await scene.count(sessionId, 'ToolCallStaged')).toBe(1);
      expect(probe.countOf('F06b')).toBe(0);
      await scene.revive(orchestrator);
      expect((await client.ended(sessionId, turnId)).status).toBe('completed');
      expect(probe.countOf('F06b')).toBe(1);
      expect(await scene.count(sessionId, 'ToolCallStaged')).toBe(1);
      expect(model.requests).toHaveLength(2);
    });

    it('(c) no executor is there when it is woken, and one comes later', async () => {
      const { client, model, probe, stack } = world;
      await stack.stop(executor);
      model.says({ calls: [call('probe_write', { k: 'F06c' })] }, { text: 'done' });
      const sessionId = await client.openSession();
      const turnId = await client.startTurn(sessionId, 'go');
      await eventually('the call is woken', () =>
        stack.output(orchestrator).some((line) => line.includes('"call_woken"') && line.includes(sessionId)),
      );
      expect(probe.countOf('F06c')).toBe(0);
      await scene.revive(executor);
      expect((await client.ended(sessionId, turnId)).status).toBe('completed');
      expect((await client.calls(sessionId))[0]).toMatchObject({ outcome: 'succeeded' });
      expect(probe.countOf('F06c')).toBe(1);
    });

    it('(c) none comes within the bound: the call is skipped, the turn goes on, and a late executor runs nothing', async () => {
      const { client, model, probe, stack } = world;
      await stack.stop(executor);
      model.says({ calls: [call('probe_write', { k: 'F06d' })] }, { text: 'went on' });
      const sessionId = await client.openSession();
      const turnId = await client.startTurn(sessionId, 'go');
      expect(await client.ended(sessionId, turnId)).toMatchObject({
        status: 'completed',
        finalText: 'went on',
      });
      const [skipped] = await client.calls(sessionId);
      expect(skipped).toMatchObject({ outcome: 'skipped', effect: 'none', code: 'unclaimed', epochs: [] });
      await scene.revive(executor);
      await pause(2_000);
      expect(probe.countOf('F06d')).toBe(0);
      await scene.isLegal(sessionId);
    });

    it('a pool that was idle for longer than the bound is not taken for a lost one', async () => {
      const { client, model, probe } = world;
      model.says(
        { calls: [call('probe_write', { k: 'F06e1' })] },
        { calls: [call('probe_write', { k: 'F06e2' })], delayMs: 12_000 },
        { text: 'done' },
      );
      const sessionId = await client.openSession();
      const turn = await client.runTurn(sessionId, 'go');
      expect(turn.status).toBe('completed');
      expect((await client.calls(sessionId)).map(({ outcome }) => outcome)).toEqual([
        'succeeded',
        'succeeded',
      ]);
      expect([probe.countOf('F06e1'), probe.countOf('F06e2')]).toEqual([1, 1]);
    });
  });
});
