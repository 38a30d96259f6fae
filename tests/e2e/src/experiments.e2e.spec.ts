import { audited, call, eventually, startWorld, type World } from './world';

jest.setTimeout(60_000);

/** Three runs of one scenario with another fault each share one stack; every test has a session of its own. */
describe('the experiments of the seed', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(() => world.close());
  afterEach(async () => {
    await world.stack.faults.heal();
    world.model.forget();
    world.probe.hold();
  });
  afterEach(async () => expect((await audited(world.stack.addresses.eventstore)).findings).toEqual([]));

  it('A: an unknown tool beside a valid one is refused in place, and the valid one runs', async () => {
    const { client, model, probe } = world;
    model.says(
      { calls: [call('echo', { text: 'hi' }, 'c1'), call('no_such_tool', {}, 'c2')] },
      { text: 'done' },
    );
    const sessionId = await client.openSession();
    const turn = await client.runTurn(sessionId, 'go');
    expect(turn).toMatchObject({ status: 'completed', finalText: 'done', openCalls: [] });
    const [valid, unknown] = await client.calls(sessionId);
    expect(valid).toMatchObject({
      outcome: 'succeeded',
      effect: 'none',
      content: [{ type: 'text', text: 'hi' }],
    });
    expect(unknown).toMatchObject({ outcome: 'refused', effect: 'none', tool: null, epochs: [] });
    expect(JSON.stringify(unknown?.content)).toContain('probe_write');
    expect(probe.count(valid?.callId)).toBe(1);
    expect(probe.count(unknown?.callId)).toBe(0);
  });

  it('B: a staging append that fails runs nothing, and the turn says why', async () => {
    const { client, model, probe, stack } = world;
    const before = probe.count();
    await stack.faults.arm({ on: 'append', eventType: 'ToolCallStaged', do: 'fail_unavailable' });
    model.says({ calls: [call('probe_write', { k: 'b1' })] });
    const sessionId = await client.openSession();
    const turn = await client.runTurn(sessionId, 'go');
    expect(turn).toMatchObject({
      status: 'failed',
      failure: { code: 'session_persistence_failed', cause: expect.stringMatching(/^store_/) as unknown },
      openCalls: [],
    });
    expect(probe.count()).toBe(before);
    expect(await client.calls(sessionId)).toEqual([]);
    const log = stack.output('turn-orchestrator-1').filter((line) => line.includes(sessionId));
    expect(log.some((line) => line.includes('"round_validated"'))).toBe(true);
    expect(log.filter((line) => /"step_staged"|"call_woken"/.test(line))).toEqual([]);
  });

  it('B: a staging append that hangs runs nothing until it is acknowledged, then once', async () => {
    const { client, model, probe, stack } = world;
    await stack.faults.arm({ on: 'append', eventType: 'ToolCallStaged', do: 'hold' });
    model.says({ calls: [call('probe_write', { k: 'b2' })] }, { text: 'done' });
    const sessionId = await client.openSession();
    const turnId = await client.startTurn(sessionId, 'go');
    await eventually('the staging append is held', async () =>
      [...(await stack.faults.hits()).values()].some((hits) => hits > 0),
    );
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect(probe.countOf('b2')).toBe(0);
    await stack.faults.heal();
    const turn = await eventually('the turn ends', async () => {
      const now = await client.turn(sessionId, turnId);
      return now.endedAt === undefined ? undefined : now;
    });
    expect(turn.status).toBe('completed');
    expect(probe.countOf('b2')).toBe(1);
  });

  it('B: a staging append that is stored with its acknowledgement lost is found again and runs once', async () => {
    const { client, model, probe, stack } = world;
    await stack.faults.arm({
      on: 'append',
      eventType: 'ToolCallStaged',
      do: 'store_then_drop_ack',
      times: 1,
    });
    model.says({ calls: [call('probe_write', { k: 'b3' })] }, { text: 'done' });
    const sessionId = await client.openSession();
    const turn = await client.runTurn(sessionId, 'go');
    expect(turn.status).toBe('completed');
    expect(probe.countOf('b3')).toBe(1);
    expect(await client.calls(sessionId)).toHaveLength(1);
  });

  it('B: while not even the end of the turn can be recorded the turn stays running, and callers get 503', async () => {
    const { client, model, probe, stack } = world;
    model.says({ calls: [call('probe_write', { k: 'b4' })] }, { text: 'done' });
    const sessionId = await client.openSession();
    await stack.faults.arm({ on: 'append', eventType: 'ToolCallStaged', do: 'fail_unavailable' });
    await stack.faults.arm({ on: 'append', eventType: 'TurnFailed', do: 'fail_unavailable' });
    const problem = await client.problem('POST', `/v1/sessions/${sessionId}/turns?wait=true`, {
      input: 'go',
    });
    expect(problem).toMatchObject({ status: 503, code: 'session_persistence_failed' });
    const [turn] = (await client.transcript(sessionId)).turns;
    expect(turn?.status).toBe('running');
    await stack.faults.heal();
    await eventually(
      'the end is recorded',
      async () => (await client.transcript(sessionId)).turns[0]?.status === 'failed',
    );
    expect(probe.countOf('b4')).toBe(0);
  });

  it('C: at the end of a round one call is done, one is stopped and one was never started', async () => {
    const { client, model, probe } = world;
    model.says(
      {
        calls: [
          call('probe_write', { k: 'quick' }),
          call('probe_write', { k: 'stuck', hold: 'then' }),
          call('probe_alone', { k: 'never' }),
        ],
      },
      { text: 'done' },
    );
    const sessionId = await client.openSession();
    const turn = await client.runTurn(sessionId, 'go', { budgets: { roundTime: '2s' } });
    expect(turn.status).toBe('completed');
    const [done, stopped, never] = await client.calls(sessionId);
    expect(done).toMatchObject({ outcome: 'succeeded', effect: 'applied' });
    expect(stopped).toMatchObject({
      outcome: 'timed_out',
      effect: 'applied',
      readback: { effect: 'applied' },
    });
    expect(never).toMatchObject({ outcome: 'skipped', effect: 'none', epochs: [] });
    expect([probe.countOf('quick'), probe.countOf('stuck'), probe.countOf('never')]).toEqual([1, 1, 0]);
  });

  it('C: a tool past its own deadline gives exactly one result, with what a readback found', async () => {
    const { client, model, probe } = world;
    model.says(
      {
        calls: [
          call('probe_slow', { k: 'late', hold: 'then' }),
          call('probe_blind', { k: 'blind', hold: 'then' }),
        ],
      },
      { text: 'done' },
    );
    const sessionId = await client.openSession();
    expect((await client.runTurn(sessionId, 'go')).status).toBe('completed');
    const [slow, blind] = await client.calls(sessionId);
    expect(slow).toMatchObject({ outcome: 'timed_out', effect: 'applied', readback: { effect: 'applied' } });
    expect(blind).toMatchObject({ outcome: 'timed_out', effect: 'unknown' });
    expect([probe.countOf('late'), probe.countOf('blind')]).toEqual([1, 1]);
  });
});
