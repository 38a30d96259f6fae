import { audited, call, eventually, rowsOf, Scene, startWorld, toolRowsOf, type World } from './world';

jest.setTimeout(120_000);

const orchestrator = 'turn-orchestrator-1';

/** How another runtime ran finished commands again on resume, tried here (F16). */
describe('the field reports: going on from the record and not from the request', () => {
  let world: World;
  let scene: Scene;
  beforeAll(async () => {
    world = await startWorld();
    scene = new Scene(world);
  });
  afterAll(() => world.close());
  afterEach(() => scene.restore(orchestrator));
  afterEach(async () => expect((await audited(world.stack.addresses.eventstore)).findings).toEqual([]));

  const keys = ['F16a', 'F16b', 'F16c'];
  /** What a session's record says besides who held it. */
  const said = async (sessionId: string) => {
    const events = await scene.events(sessionId);
    return events
      .filter(({ type }) => !type.startsWith('SessionLease'))
      .map(({ id, type }) => `${type} ${id}`);
  };
  const roles = (request = '') => rowsOf(request).flatMap(({ role }) => (role === 'system' ? [] : [role]));

  it('F16: stopped before the next model call and taken up three times in a row, it runs nothing again and adds nothing', async () => {
    const { client, model, probe, stack } = world;
    await scene.armCrash(orchestrator, 'K9');
    model.says({ calls: keys.map((k) => call('probe_write', { k }, k)) }, { text: 'done' });
    const sessionId = await client.openSession();
    const turnId = await client.startTurn(sessionId, 'go');
    await scene.crashed(orchestrator);
    const before = await said(sessionId);
    for (let resumed = 1; resumed <= 3; resumed += 1) {
      await stack.launch(orchestrator, { WRIT_CRASH_AT: 'K9' });
      await scene.crashed(orchestrator);
      expect(scene.linesOf(orchestrator, 'crash_point')).toHaveLength(1 + resumed);
      expect(await said(sessionId)).toEqual(before);
    }
    expect(keys.map((k) => probe.countOf(k))).toEqual([1, 1, 1]);
    expect(model.requests).toHaveLength(1);
    await scene.revive(orchestrator);
    expect(await client.ended(sessionId, turnId)).toMatchObject({ status: 'completed', finalText: 'done' });
    expect(keys.map((k) => probe.countOf(k))).toEqual([1, 1, 1]);
    expect(model.requests).toHaveLength(2);
    expect(roles(model.requests[1])).toEqual(['user', 'assistant', 'tool', 'tool', 'tool']);
    expect(toolRowsOf(model.requests[1] ?? '')).toEqual(
      keys.map((k) => expect.stringContaining(k) as unknown),
    );
    expect(await scene.count(sessionId, 'TurnStarted')).toBe(1);
    expect(await scene.count(sessionId, 'ToolCallStaged')).toBe(3);
    expect((await client.calls(sessionId)).map(({ epochs }) => epochs)).toEqual([[0], [0], [0]]);
    const after = await said(sessionId);
    await stack.kill(orchestrator);
    await scene.revive(orchestrator);
    expect(await said(sessionId)).toEqual(after);
    expect(model.requests).toHaveLength(2);
  });

  it('F16: stopped by the user with its calls done, the next turn shows the model their results and no second copy of the request', async () => {
    const { client, model, probe } = world;
    const k = 'F16-stop';
    model.says(
      { calls: [call('probe_write', { k }, 'c1')] },
      { text: 'too late', delayMs: 3_000 },
      { text: 'went on' },
    );
    const sessionId = await client.openSession();
    const turnId = await client.startTurn(sessionId, 'write it');
    await eventually('the model is asked what next', () => model.requests.length === 2);
    expect((await client.send('POST', `/v1/sessions/${sessionId}/interrupt`)).status).toBe(202);
    expect((await client.ended(sessionId, turnId)).status).toBe('interrupted');
    expect(await client.runTurn(sessionId, 'go on')).toMatchObject({
      status: 'completed',
      finalText: 'went on',
    });
    const last = model.requests.at(-1) ?? '';
    expect(roles(last)).toEqual(['user', 'assistant', 'tool', 'user']);
    const asked = rowsOf(last).flatMap(({ role, content }) => (role === 'user' ? [content] : []));
    expect(asked).toEqual(['write it', 'go on']);
    expect(toolRowsOf(last)).toEqual([expect.stringContaining(k)]);
    expect(probe.countOf(k)).toBe(1);
  });
});
