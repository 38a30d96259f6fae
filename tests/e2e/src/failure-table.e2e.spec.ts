import { audited, call, eventually, startWorld, type World } from './world';

jest.setTimeout(90_000);

describe("the seed's failures and how they are recovered", () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld({ executors: 2 });
  });
  afterAll(() => world.close());
  afterEach(async () => {
    await world.stack.faults.heal();
    for (const name of ['tool-executor-1', 'tool-executor-2', 'turn-orchestrator-1'])
      await world.stack.start(name);
    world.model.forget();
    world.probe.hold();
  });
  afterEach(async () => expect((await audited(world.stack.addresses.eventstore)).findings).toEqual([]));

  const endOf = (sessionId: string, turnId: string) =>
    eventually('the turn ends', async () => {
      const now = await world.client.turn(sessionId, turnId);
      return now.endedAt === undefined ? undefined : now;
    });
  /** The executor that holds a call, by its process name. */
  const holderOf = (callId: string): Promise<string> =>
    eventually('an executor starts the tool', () =>
      ['tool-executor-1', 'tool-executor-2'].find((name) =>
        world.stack.output(name).some((line) => line.includes('"tool_started"') && line.includes(callId)),
      ),
    );
  const onlyCall = (sessionId: string) =>
    eventually('the call is staged', async () => (await world.client.calls(sessionId))[0]);

  it('invalid JSON is refused in place, its valid sibling runs', async () => {
    const { client, model, probe } = world;
    model.says(
      { calls: [call('probe_write', '{"k":"broken'), call('probe_write', { k: 'whole' })] },
      { text: 'done' },
    );
    const sessionId = await client.openSession();
    expect((await client.runTurn(sessionId, 'go')).status).toBe('completed');
    const [broken, whole] = await client.calls(sessionId);
    expect(broken).toMatchObject({
      outcome: 'refused',
      effect: 'none',
      args: null,
      rawArguments: '{"k":"broken',
    });
    expect(whole).toMatchObject({ outcome: 'succeeded', effect: 'applied' });
    expect(probe.count(broken?.callId)).toBe(0);
    expect(probe.count(whole?.callId)).toBe(1);
  });

  it('a tool that exists but that this session does not see is refused, and the answer names those it sees', async () => {
    const { client, model, probe } = world;
    model.says(
      { calls: [call('hidden_write', { k: 'h' }), call('probe_write', { k: 'x' })] },
      { text: 'done' },
    );
    const sessionId = await client.openSession({ toolsets: ['files'] });
    expect((await client.runTurn(sessionId, 'go')).status).toBe('completed');
    const calls = await client.calls(sessionId);
    for (const refused of calls) {
      expect(refused).toMatchObject({ outcome: 'refused', effect: 'none' });
      expect(probe.count(refused.callId)).toBe(0);
    }
    const table = JSON.parse((await client.send('GET', `/v1/sessions/${sessionId}/tools`)).text) as {
      tools: { name: string; visible: boolean; reason: string }[];
    };
    expect(table.tools.find(({ name }) => name === 'hidden_write')).toMatchObject({ visible: false });
  });

  it('a result that cannot be committed ends the turn, is never shown to the model, and is reconciled when the store is back', async () => {
    const { client, model, probe, stack } = world;
    await stack.faults.arm({
      on: 'append',
      stream: 'toolcall-',
      eventType: 'ToolResultCommitted',
      do: 'fail_unavailable',
    });
    model.says({ calls: [call('probe_slow', { k: 'r3' })] });
    const sessionId = await client.openSession();
    const turn = await client.runTurn(sessionId, 'go');
    expect(turn).toMatchObject({
      status: 'failed',
      failure: { code: 'session_persistence_failed', cause: 'result_not_committed' },
    });
    expect(turn.openCalls).toHaveLength(1);
    expect(model.requests).toHaveLength(1);
    const again = await client.problem('POST', `/v1/sessions/${sessionId}/turns`, { input: 'again' });
    expect(again).toMatchObject({ status: 409, code: 'earlier_calls_open', calls: turn.openCalls });
    await stack.faults.heal();
    await eventually(
      'the call is settled',
      async () => (await client.calls(sessionId))[0]?.outcome ?? undefined,
    );
    expect(probe.countOf('r3')).toBe(1);
    const [settled] = await client.calls(sessionId);
    expect(settled).toMatchObject({ outcome: 'succeeded', effect: 'applied' });
    model.says({ text: 'went on' });
    const next = await eventually('a new turn may begin', async () => {
      const { status, text } = await client.send('POST', `/v1/sessions/${sessionId}/turns?wait=true`, {
        input: 'again',
      });
      return status === 200 ? text : undefined;
    });
    expect(next).toContain('went on');
    expect(probe.countOf('r3')).toBe(1);
  });

  it('an executor killed after the effect is noticed, the effect is found by readback and not repeated', async () => {
    const { client, model, probe, stack } = world;
    model.says({ calls: [call('probe_write', { k: 'killed', hold: 'then' })] }, { text: 'done' });
    const sessionId = await client.openSession();
    const turnId = await client.startTurn(sessionId, 'go');
    const { callId } = await onlyCall(sessionId);
    await eventually('the effect', () => probe.count(callId) === 1);
    await stack.kill(await holderOf(callId));
    expect((await endOf(sessionId, turnId)).status).toBe('completed');
    const [found] = await client.calls(sessionId);
    expect(found).toMatchObject({
      outcome: 'succeeded',
      effect: 'applied',
      readback: { effect: 'applied' },
      epochs: [0, 1],
    });
    expect(probe.count(callId)).toBe(1);
  });

  it('an executor killed before the effect: the readback says so, and the call runs again under a new epoch', async () => {
    const { client, model, probe, stack } = world;
    model.says({ calls: [call('probe_write', { k: 'early', hold: 'first' })] }, { text: 'done' });
    const sessionId = await client.openSession();
    const turnId = await client.startTurn(sessionId, 'go');
    const { callId } = await onlyCall(sessionId);
    await stack.kill(await holderOf(callId));
    probe.release();
    expect((await endOf(sessionId, turnId)).status).toBe('completed');
    const [found] = await client.calls(sessionId);
    expect(found).toMatchObject({ outcome: 'succeeded', effect: 'applied' });
    expect(probe.count(callId)).toBe(1);
  });

  it.each([
    {
      name: 'irreversible',
      tool: 'probe_once',
      result: { outcome: 'unknown', effect: 'unknown' },
      effects: 1,
    },
    {
      name: 'idempotent',
      tool: 'probe_same',
      result: { outcome: 'succeeded', effect: 'applied' },
      effects: 2,
    },
  ])('an executor killed inside an $name tool', async ({ tool, result, effects }) => {
    const { client, model, probe, stack } = world;
    model.says({ calls: [call(tool, { k: tool, hold: 'then' })] }, { text: 'done' });
    const sessionId = await client.openSession();
    const turnId = await client.startTurn(sessionId, 'go');
    const { callId } = await onlyCall(sessionId);
    await eventually('the effect', () => probe.count(callId) === 1);
    await stack.kill(await holderOf(callId));
    probe.release();
    expect((await endOf(sessionId, turnId)).status).toBe('completed');
    expect((await client.calls(sessionId))[0]).toMatchObject(result);
    expect(probe.count(callId)).toBe(effects);
  });

  it('an executor that is frozen past its lease is superseded as silent, and its late result is refused and kept as evidence', async () => {
    const { client, model, probe, stack } = world;
    model.says({ calls: [call('probe_write', { k: 'frozen', hold: 'then' })] }, { text: 'done' });
    const sessionId = await client.openSession();
    const turnId = await client.startTurn(sessionId, 'go');
    const { callId } = await onlyCall(sessionId);
    await eventually('the effect', () => probe.count(callId) === 1);
    const holder = await holderOf(callId);
    stack.signal(holder, 'SIGSTOP');
    expect((await endOf(sessionId, turnId)).status).toBe('completed');
    stack.signal(holder, 'SIGCONT');
    const [found] = await client.calls(sessionId);
    expect(found).toMatchObject({ outcome: 'succeeded', effect: 'applied', readback: { effect: 'applied' } });
    expect(probe.count(callId)).toBe(1);
  });

  it('an orchestrator killed in the middle of a turn takes it up again by itself, with no second run', async () => {
    const { client, model, probe, stack } = world;
    model.says({ calls: [call('probe_write', { k: 'owner', ms: 1_500 })] }, { text: 'done' });
    const sessionId = await client.openSession();
    const turnId = await client.startTurn(sessionId, 'go');
    await eventually('the effect', () => probe.countOf('owner') === 1);
    await stack.kill('turn-orchestrator-1');
    await stack.start('turn-orchestrator-1');
    expect(await endOf(sessionId, turnId)).toMatchObject({ status: 'completed', finalText: 'done' });
    expect(probe.countOf('owner')).toBe(1);
    expect((await client.transcript(sessionId)).turns).toHaveLength(1);
    expect(model.requests).toHaveLength(2);
  });
});
