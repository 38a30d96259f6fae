import { audited, call, eventually, patient, readinessAt, Scene, startWorld, type World } from './world';

jest.setTimeout(120_000);

const executor = 'tool-executor-1';

/** A store that answers, but not for leases: what a holder may do ends with what it could renew (protocol 7). */
describe('a lease that cannot be renewed', () => {
  let world: World;
  let scene: Scene;
  beforeAll(async () => {
    world = await startWorld({ env: { ...patient, WRIT_UNCLAIMED_MS: '60000' } });
    scene = new Scene(world);
  });
  afterAll(() => world.close());
  afterEach(() => scene.restore('turn-orchestrator-1', executor));
  afterEach(async () => expect((await audited(world.stack.addresses.eventstore)).findings).toEqual([]));

  const leaseOf = async (base: string | undefined) => {
    const ready = await readinessAt(base ?? '');
    return ready === undefined ? undefined : { status: ready.status, ...ready.checks };
  };
  const pidOf = (name: string) => world.stack.processes.find((process) => process.name === name)?.pid;

  it.each([
    ['that can be read back', 'probe_write', { effect: 'applied', readback: { effect: 'applied' } }],
    ['that cannot', 'probe_once', { effect: 'unknown' }],
  ])("an executor's: its tool %s is stopped, it says so, and goes on by itself later", async (...given) => {
    const [, tool, result] = given;
    const { client, model, probe, stack } = world;
    const { executor: base } = stack.addresses;
    const before = pidOf(executor);
    model.says({ calls: [call(tool, { k: tool, hold: 'then' })] }, { text: 'done' });
    const sessionId = await client.openSession();
    const turnId = await client.startTurn(sessionId, tool);
    await eventually('the effect', () => probe.countOf(tool) === 1);
    await stack.faults.arm({ on: 'append', stream: 'lease-tool-executor', do: 'fail_unavailable' });
    await eventually('it is not ready, for its lease alone', async () => {
      const now = await leaseOf(base);
      return now?.status === 503 && now.store === 'ok' && now.broker === 'ok' && now.lease !== 'ok';
    });
    await eventually(
      'its tools are stopped',
      () => scene.linesOf(executor, 'tool_host_watchdog_expired').length > 0,
    );
    await stack.faults.heal();
    expect(await stack.waitReady(executor)).toBe('ready');
    expect((await client.ended(sessionId, turnId)).status).toBe('completed');
    const [settled] = await client.calls(sessionId);
    expect(settled).toMatchObject(result);
    expect(['interrupted', 'succeeded', 'unknown']).toContain(settled?.outcome);
    expect(probe.countOf(tool)).toBe(1);
    expect(pidOf(executor)).toBe(before);
  });

  it("an orchestrator's: it asks, stages and wakes nothing meanwhile, and its turn goes on later", async () => {
    const { client, model, probe, stack } = world;
    const { orchestrator: base } = stack.addresses;
    model.says({ calls: [call('probe_write', { k: 'owner', hold: 'then' })] }, { text: 'done' });
    const sessionId = await client.openSession();
    const turnId = await client.startTurn(sessionId, 'owner');
    await eventually('the effect', () => probe.countOf('owner') === 1);
    await stack.faults.arm({ on: 'append', stream: 'lease-turn-orchestrator', do: 'fail_unavailable' });
    await eventually('it is not ready, for its lease alone', async () => {
      const now = await leaseOf(base);
      return now?.status === 503 && now.store === 'ok' && now.broker === 'ok' && now.lease !== 'ok';
    });
    probe.release();
    await eventually(
      'the call is settled all the same',
      async () => (await client.calls(sessionId))[0]?.outcome,
    );
    expect(scene.asked('owner')).toBe(1);
    expect((await client.turn(sessionId, turnId)).status).toBe('running');
    await stack.faults.heal();
    expect(await client.ended(sessionId, turnId)).toMatchObject({ status: 'completed', finalText: 'done' });
    expect(scene.asked('owner')).toBe(2);
    expect(probe.countOf('owner')).toBe(1);
  });
});
