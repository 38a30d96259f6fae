import { audited, call, Client, eventually, patient, Scene, startWorld, type World } from './world';

jest.setTimeout(120_000);

const first = 'turn-orchestrator-1';
const second = 'turn-orchestrator-2';

/** How other runtimes wrote twice, tried here with two orchestrators (F27). */
describe('the field reports: who appends at one revision', () => {
  let world: World;
  let scene: Scene;
  /** The second orchestrator's interface. */
  let other: Client;
  beforeAll(async () => {
    world = await startWorld({ orchestrators: 2, env: patient });
    scene = new Scene(world);
    const { hostname, port } = new URL(world.stack.addresses.orchestrator ?? '');
    other = new Client(`http://${hostname}:${Number(port) + 10}`);
  });
  afterAll(() => world.close());
  afterEach(() => scene.restore(first, second));
  afterEach(async () => expect((await audited(world.stack.addresses.eventstore)).findings).toEqual([]));

  it('F27: a staging append that is stored with its acknowledgement lost is repeated at the same revision', async () => {
    const { client, model, probe, stack } = world;
    await stack.faults.arm({
      on: 'append',
      eventType: 'ToolCallStaged',
      do: 'store_then_drop_ack',
      times: 1,
    });
    model.says({ calls: [call('probe_write', { k: 'F27a' }, 'c1')] }, { text: 'done' });
    const sessionId = await client.openSession();
    expect((await client.runTurn(sessionId, 'go')).status).toBe('completed');
    expect([...(await stack.faults.hits()).values()]).toEqual([1]);
    expect(await scene.count(sessionId, 'ToolCallStaged')).toBe(1);
    expect(probe.countOf('F27a')).toBe(1);
    expect(model.requests).toHaveLength(2);
  });

  it('F27: an answer that says conflict for what it has stored is not believed', async () => {
    const { client, model, probe, stack } = world;
    await stack.faults.arm({
      on: 'append',
      eventType: 'ToolCallStaged',
      do: 'store_then_wrong_version',
      times: 1,
    });
    model.says({ calls: [call('probe_write', { k: 'F27b' }, 'c1')] }, { text: 'done' });
    const sessionId = await client.openSession();
    expect((await client.runTurn(sessionId, 'go')).status).toBe('completed');
    expect(await scene.count(sessionId, 'ToolCallStaged')).toBe(1);
    expect(probe.countOf('F27b')).toBe(1);
    expect(model.requests).toHaveLength(2);
  });

  it.each([
    ['after its heir has staged', 'late', true, 'heir'],
    ['before its heir holds the session', 'early', false, 'first'],
  ])(
    'F27: a frozen owner whose staging append arrives %s: one step, one call, one effect',
    async (...given) => {
      const [, name, isLate, winner] = given;
      const { client, model, probe, stack } = world;
      const write = (who: string) => ({ calls: [call('probe_write', { k: `F27-${name}-${who}` }, 'c1')] });
      await stack.faults.arm({ on: 'append', eventType: 'ToolCallStaged', do: 'hold', times: 1 });
      model.says(write('first'), ...(winner === 'heir' ? [write('heir')] : []), { text: 'done' });
      const sessionId = await client.openSession();
      const turnId = await client.startTurn(sessionId, 'go');
      await scene.faultHit();
      stack.signal(first, 'SIGSTOP');
      if (isLate)
        await eventually(
          'the heir has staged',
          async () => (await scene.count(sessionId, 'ToolCallStaged')) > 0,
        );
      await stack.faults.heal();
      expect(await other.ended(sessionId, turnId)).toMatchObject({ status: 'completed', finalText: 'done' });
      stack.signal(first, 'SIGCONT');
      expect(await client.ended(sessionId, turnId)).toMatchObject({ status: 'completed', finalText: 'done' });
      expect(await scene.count(sessionId, 'ToolCallStaged')).toBe(1);
      expect(await scene.count(sessionId, 'AssistantMessageRecorded')).toBe(2);
      expect(['first', 'heir'].map((who) => probe.countOf(`F27-${name}-${who}`))).toEqual(
        winner === 'heir' ? [0, 1] : [1, 0],
      );
      // Superseded and thawed, it enters again by itself and takes turns as before.
      await scene.revive(first);
      const next = await client.openSession();
      expect(await client.runTurn(next, 'and you?')).toMatchObject({ status: 'completed' });
    },
  );

  it('F27: of one request that reaches two orchestrators at once one begins a turn, the other is told so', async () => {
    const { model, probe } = world;
    const both = [world.client, other];
    model.otherwise((messages) =>
      messages.length > 2 ? { text: 'done' } : { calls: [call('probe_write', { k: 'F27-race' })] },
    );
    const sessionId = await world.client.openSession();
    const answers = await Promise.all(
      both.map((client) => client.send('POST', `/v1/sessions/${sessionId}/turns`, { input: 'go' })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 409]);
    const winner = answers.find(({ status }) => status === 202);
    const { turnId } = JSON.parse(winner?.text ?? '{}') as { turnId: string };
    expect((await world.client.ended(sessionId, turnId)).status).toBe('completed');
    expect(await scene.count(sessionId, 'TurnStarted')).toBe(1);
    expect(await scene.count(sessionId, 'ToolCallStaged')).toBe(1);
    expect(probe.countOf('F27-race')).toBe(1);
  });
});
