import { audited, call, Client, eventually, patient, Scene, startWorld, type World } from './world';

jest.setTimeout(120_000);

const first = 'turn-orchestrator-1';
const second = 'turn-orchestrator-2';

describe('an interrupt', () => {
  let world: World;
  let scene: Scene;
  /** The orchestrator that does not own the sessions of these tests. */
  let other: Client;
  beforeAll(async () => {
    world = await startWorld({ orchestrators: 2, env: { ...patient, WRIT_UNCLAIMED_MS: '60000' } });
    scene = new Scene(world);
    const { hostname, port } = new URL(world.stack.addresses.orchestrator ?? '');
    other = new Client(`http://${hostname}:${Number(port) + 10}`);
  });
  afterAll(() => world.close());
  afterEach(() => scene.restore(first, second));
  afterEach(async () => expect((await audited(world.stack.addresses.eventstore)).findings).toEqual([]));

  const interrupt = async (client: Client, sessionId: string) => {
    const { status, text } = await client.send('POST', `/v1/sessions/${sessionId}/interrupt`);
    expect(status).toBe(202);
    return JSON.parse(text) as unknown;
  };
  /** A turn after it works, and the model is given what is on record. */
  const nextTurnWorks = async (sessionId: string, input: string) => {
    const { client, model, probe } = world;
    const k = `next-${input}`;
    model.forget();
    model.says({ calls: [call('probe_write', { k })] }, { text: 'went on' });
    const turn = await eventually('the next turn begins', async () => {
      const { status, text } = await client.send('POST', `/v1/sessions/${sessionId}/turns?wait=true`, {
        input: k,
      });
      return status === 200 ? text : undefined;
    });
    expect(JSON.parse(turn)).toMatchObject({ status: 'completed', finalText: 'went on' });
    expect(probe.countOf(k)).toBe(1);
    await scene.isLegal(sessionId);
  };

  it.each([
    ['that can be read back', 'probe_write', { effect: 'applied', readback: { effect: 'applied' } }],
    ['that cannot', 'probe_once', { effect: 'unknown' }],
  ])(
    'stops a tool %s; its result says so, and what had not started is skipped',
    async (_which, tool, result) => {
      const { client, model, probe } = world;
      const k = `running-${tool}`;
      model.says({
        calls: [
          call('echo', { text: k }),
          call(tool, { k, hold: 'then' }),
          call('probe_alone', { k: `${k}-later` }),
        ],
      });
      const sessionId = await client.openSession();
      const turnId = await client.startTurn(sessionId, k);
      await eventually('the effect', () => probe.countOf(k) === 1);
      await eventually('the quick one is settled', async () => (await client.calls(sessionId))[0]?.outcome);
      expect(await interrupt(client, sessionId)).toEqual({ interrupted: true });
      expect(await client.ended(sessionId, turnId)).toMatchObject({ status: 'interrupted', openCalls: [] });
      expect(await client.calls(sessionId)).toMatchObject([
        { outcome: 'succeeded', effect: 'none' },
        { outcome: 'interrupted', ...result },
        { outcome: 'skipped', effect: 'none', epochs: [] },
      ]);
      expect([probe.countOf(k), probe.countOf(`${k}-later`)]).toEqual([1, 0]);
      expect(scene.asked(k)).toBe(1);
      await nextTurnWorks(sessionId, k);
    },
  );

  it('ends the asking of the model; nothing of its reply is recorded', async () => {
    const { client, model, probe } = world;
    model.says({ calls: [call('probe_write', { k: 'asked' })], delayMs: 8_000 });
    const sessionId = await client.openSession();
    const turnId = await client.startTurn(sessionId, 'asked');
    await eventually('the model is asked', () => scene.asked('asked') === 1);
    await interrupt(client, sessionId);
    const turn = await client.ended(sessionId, turnId);
    expect(turn).toMatchObject({ status: 'interrupted', openCalls: [] });
    expect(turn.finalText).toBeUndefined();
    expect(await scene.count(sessionId, 'ToolCallStaged')).toBe(0);
    await nextTurnWorks(sessionId, 'asked');
    expect(probe.countOf('asked')).toBe(0);
  });

  it('where nothing runs changes nothing, now and for the next turn', async () => {
    const { client } = world;
    const sessionId = await client.openSession();
    expect(await interrupt(client, sessionId)).toEqual({ interrupted: false });
    await nextTurnWorks(sessionId, 'idle');
    expect(await interrupt(client, sessionId)).toEqual({ interrupted: false });
    await nextTurnWorks(sessionId, 'idle again');
  });

  it('takes back a call that waits for a person', async () => {
    const { client, model, probe } = world;
    model.says({ calls: [call('probe_ask', { k: 'asks' })] });
    const sessionId = await client.openSession();
    const turnId = await client.startTurn(sessionId, 'asks');
    await eventually(
      'it waits for a person',
      async () => (await client.turn(sessionId, turnId)).status === 'waiting_for_person',
    );
    await interrupt(client, sessionId);
    expect((await client.ended(sessionId, turnId)).status).toBe('interrupted');
    await eventually('the call is settled', async () => (await client.calls(sessionId))[0]?.outcome);
    expect(await client.calls(sessionId)).toMatchObject([{ outcome: 'skipped', effect: 'none', epochs: [] }]);
    await nextTurnWorks(sessionId, 'asks');
    expect(probe.countOf('asks')).toBe(0);
  });

  it('may be asked of any orchestrator, and twice', async () => {
    const { client, model, probe } = world;
    model.says({ calls: [call('probe_write', { k: 'elsewhere', hold: 'then' })] });
    const sessionId = await client.openSession();
    const turnId = await client.startTurn(sessionId, 'elsewhere');
    await eventually('the effect', () => probe.countOf('elsewhere') === 1);
    await Promise.all([interrupt(other, sessionId), interrupt(other, sessionId)]);
    expect(await client.ended(sessionId, turnId)).toMatchObject({ status: 'interrupted', openCalls: [] });
    expect(probe.countOf('elsewhere')).toBe(1);
    await nextTurnWorks(sessionId, 'elsewhere');
  });

  it('that was accepted holds although the owner is killed before it hears of it', async () => {
    const { client, model, probe, stack } = world;
    model.says({ calls: [call('probe_write', { k: 'heir', hold: 'then' })] });
    const sessionId = await client.openSession();
    const turnId = await client.startTurn(sessionId, 'heir');
    await eventually('the effect', () => probe.countOf('heir') === 1);
    stack.signal(first, 'SIGSTOP');
    await interrupt(other, sessionId);
    await stack.kill(first);
    expect(await other.ended(sessionId, turnId)).toMatchObject({ status: 'interrupted', openCalls: [] });
    expect(await other.calls(sessionId)).toMatchObject([{ outcome: 'interrupted', effect: 'applied' }]);
    expect(probe.countOf('heir')).toBe(1);
    expect(scene.asked('heir')).toBe(1);
    await scene.revive(first);
    await nextTurnWorks(sessionId, 'heir');
  });

  it('of a session that does not exist is a 404', async () => {
    expect(await world.client.problem('POST', '/v1/sessions/ses_none/interrupt')).toMatchObject({
      status: 404,
      code: 'not_found',
    });
  });
});
