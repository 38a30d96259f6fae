import { callStream, inDoubtListSchema, resolutionResponseSchema, type InDoubtItem } from '@writ/contracts';
import { readWhole } from '@writ/runtime';
import { audited, call, Client, eventually, Scene, startWorld, withStore, type World } from './world';

jest.setTimeout(90_000);

const executors = ['tool-executor-1', 'tool-executor-2'] as const;

describe('a call whose effect nobody knows', () => {
  let world: World;
  let scene: Scene;
  let desk: Client;
  beforeAll(async () => {
    world = await startWorld({
      executors: 2,
      config: require.resolve('../fixtures/doubt.config.yaml'),
      tools: require.resolve('../fixtures/doubt.tools.yaml'),
      // Restarts of all services take their time; a call that nobody takes over meanwhile is not given up.
      env: { WRIT_UNCLAIMED_MS: '60000' },
    });
    scene = new Scene(world);
    desk = new Client(world.stack.addresses.approvals ?? '');
  });
  afterAll(() => world.close());
  afterEach(async () => {
    await scene.restore(...executors);
    expect((await audited(world.stack.addresses.eventstore)).findings).toEqual([]);
  });

  const listed = async (sessionId: string): Promise<InDoubtItem | undefined> => {
    const { items } = inDoubtListSchema.parse(JSON.parse((await desk.send('GET', '/v1/in-doubt')).text));
    return items.find((item) => item.sessionId === sessionId);
  };
  /** In doubt it is listed before it is held; only from then on does its item stand still. */
  const held = (sessionId: string): Promise<InDoubtItem> =>
    eventually('the call is held', async () => {
      const item = await listed(sessionId);
      const types = item === undefined ? [] : await typesOf(item.callId);
      return types.at(-1) === 'DoubtHeld' ? listed(sessionId) : undefined;
    });
  const recordOf = (callId: string) =>
    withStore(world.stack.addresses.eventstore, async (store) => {
      const read = await readWhole(store, callStream(callId));
      return read.outcome === 'events' ? read.events : [];
    });
  const typesOf = async (callId: string) => (await recordOf(callId)).map(({ type }) => type);
  const pathOf = (callId: string) => `/v1/in-doubt/${callId}/resolution`;
  const resolve = async (callId: string, body: object) => {
    const { status, text } = await desk.send('POST', pathOf(callId), body);
    expect({ status, text }).toMatchObject({ status: 200 });
    return resolutionResponseSchema.parse(JSON.parse(text));
  };
  const begin = async (tool: string, k: string) => {
    world.model.says({ calls: [call(tool, { k })] }, { text: 'done' });
    const sessionId = await world.client.openSession();
    return { sessionId, turnId: await world.client.startTurn(sessionId, 'go') };
  };
  /** The tool has had its effect and its executor dies before it says so. */
  const lost = async (tool: string, k: string) => {
    await world.stack.kill('tool-executor-2');
    await scene.armCrash('tool-executor-1', 'K5');
    const begun = await begin(tool, k);
    await scene.crashed('tool-executor-1');
    await scene.revive(...executors);
    return begun;
  };

  it('is held where policy says so, run by nobody over a restart of every service, and settled by what a person found', async () => {
    const { client, probe, stack } = world;
    const { sessionId, turnId } = await lost('probe_once', 'held');
    const item = await held(sessionId);
    expect(item).toMatchObject({ tool: 'probe_once', args: { k: 'held' }, effectClass: 'irreversible' });
    await eventually(
      'the turn waits',
      async () => (await client.turn(sessionId, turnId)).status === 'waiting_for_person',
    );
    const services = ['turn-orchestrator-1', 'approval-service-1', ...executors];
    for (const name of services) await stack.kill(name);
    await scene.revive(...services);
    expect(await held(sessionId)).toEqual(item);
    expect(await client.turn(sessionId, turnId)).toMatchObject({ status: 'waiting_for_person' });
    const evidence = { ticket: 'T-17' };
    const first = await resolve(item.callId, { effect: 'applied', evidence });
    expect(first).toMatchObject({ effect: 'applied', rerun: false, by: 'unauthenticated' });
    expect(await client.ended(sessionId, turnId)).toMatchObject({ status: 'completed', finalText: 'done' });
    const [settled] = await client.calls(sessionId);
    expect(settled).toMatchObject({
      outcome: 'succeeded',
      effect: 'applied',
      readback: { effect: 'applied', evidence },
    });
    expect(probe.countOf('held')).toBe(1);
    expect(await resolve(item.callId, { effect: 'applied', evidence })).toEqual(first);
    const other = { effect: 'not_applied', evidence: 'it was not there', rerun: true };
    expect(await desk.problem('POST', pathOf(item.callId), other)).toMatchObject({
      status: 409,
      code: 'already_settled',
    });
    expect((await client.calls(sessionId))[0]?.late).toMatchObject([{ kind: 'decision' }]);
    expect(probe.countOf('held')).toBe(1);
  });

  it('runs again, irreversible as it is, only by the order of a person, under an epoch of its own', async () => {
    const { client, probe } = world;
    const { sessionId, turnId } = await lost('probe_once', 'ordered');
    const { callId, epoch } = await held(sessionId);
    const order = { effect: 'not_applied', evidence: 'never left', rerun: true, epoch };
    expect(await resolve(callId, order)).toMatchObject({ rerun: true });
    expect(await client.ended(sessionId, turnId)).toMatchObject({ status: 'completed' });
    const [settled] = await client.calls(sessionId);
    expect(settled).toMatchObject({ outcome: 'succeeded', effect: 'applied' });
    expect(probe.countOf('ordered')).toBe(2);
    expect(await typesOf(callId)).toEqual([
      'ToolExecutionStarted',
      'ToolExecutionTakenOver',
      'DoubtHeld',
      'DoubtResolved',
      'ToolExecutionStarted',
      'ToolResultCommitted',
    ]);
  });

  it.each([
    ['unknown', { outcome: 'unknown', effect: 'unknown' }],
    ['not_applied', { outcome: 'failed', effect: 'none' }],
  ])('resolved as %s without a rerun it is settled so and runs no more', async (effect, result) => {
    const { client, probe } = world;
    const { sessionId, turnId } = await lost('probe_once', effect);
    const { callId } = await held(sessionId);
    for (const [body, field] of [
      [{ effect: 'perhaps', evidence: 'x' }, 'effect'],
      [{ effect }, 'evidence'],
      [{ effect: 'applied', evidence: 'x', rerun: true }, 'rerun'],
    ] as const)
      expect(await desk.problem('POST', pathOf(callId), body)).toMatchObject({ status: 400, field });
    expect(
      await desk.problem('POST', pathOf('call_none'), { effect: 'unknown', evidence: 'x' }),
    ).toMatchObject({ status: 404, code: 'not_found' });
    await resolve(callId, { effect, evidence: 'looked' });
    expect((await client.ended(sessionId, turnId)).status).toBe('completed');
    expect((await client.calls(sessionId))[0]).toMatchObject(result);
    expect(probe.countOf(effect)).toBe(1);
  });

  it('is told to the model as unknown where a rule of the policy says so, and the turn goes on', async () => {
    const { client, probe } = world;
    const { sessionId, turnId } = await lost('probe_blind', 'told');
    expect((await client.ended(sessionId, turnId)).status).toBe('completed');
    expect((await client.calls(sessionId))[0]).toMatchObject({ outcome: 'unknown', effect: 'unknown' });
    expect(probe.countOf('told')).toBe(1);
  });

  it('is not run again on silence although a readback denies it; what the silent holder brings later is evidence', async () => {
    const { client, probe, stack } = world;
    await stack.faults.arm({ on: 'append', eventType: 'ToolResultCommitted', do: 'hold' });
    const { sessionId, turnId } = await begin('probe_lagging', 'silent');
    await scene.faultHit();
    const callId = (await client.calls(sessionId))[0]?.callId ?? '';
    const holder = executors.find((name) => scene.logged(name, 'tool_started', callId)) ?? '';
    stack.signal(holder, 'SIGSTOP');
    const item = await held(sessionId);
    expect(item.evidence).toEqual([{ lines: 0 }]);
    await stack.faults.heal();
    stack.signal(holder, 'SIGCONT');
    await eventually('its result is kept', async () =>
      (await typesOf(callId)).includes('LateResultRecorded'),
    );
    expect(await client.turn(sessionId, turnId)).toMatchObject({ status: 'waiting_for_person' });
    await resolve(callId, { effect: 'unknown', evidence: 'nobody can say' });
    expect((await client.ended(sessionId, turnId)).status).toBe('completed');
    const [settled] = await client.calls(sessionId);
    expect(settled).toMatchObject({ outcome: 'unknown', effect: 'unknown', late: [{ kind: 'result' }] });
    expect(probe.countOf('silent')).toBe(1);
  });
});
