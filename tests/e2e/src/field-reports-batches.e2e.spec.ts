import {
  audited,
  call,
  eventually,
  placeOf,
  Scene,
  startWorld,
  toolRowsOf,
  type Reply,
  type World,
} from './world';

jest.setTimeout(120_000);

const executor = 'tool-executor-1';
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** How other runtimes lost the rest of a batch, tried here: some results are recorded, others are not (K8). */
describe('the field reports: half a batch', () => {
  let world: World;
  let scene: Scene;
  beforeAll(async () => {
    world = await startWorld({ env: { WRIT_UNCLAIMED_MS: '20000' } });
    scene = new Scene(world);
  });
  afterAll(() => world.close());
  afterEach(() => scene.restore('turn-orchestrator-1', executor));
  afterEach(async () => expect((await audited(world.stack.addresses.eventstore)).findings).toEqual([]));

  const began = async (input: string) => {
    const sessionId = await world.client.openSession();
    return { input, sessionId, turnId: await world.client.startTurn(sessionId, input) };
  };
  const outcomes = async (sessionId: string) =>
    (await world.client.calls(sessionId)).map(({ outcome }) => outcome);

  /** From its staging on, before it can have a result, the result of one call of the batch cannot be written. */
  const losesResult = async (sessionId: string, index: number) => {
    const { callId } = await eventually(
      'it is staged',
      async () => (await world.client.calls(sessionId))[index],
    );
    const stream = `toolcall-${callId}`;
    const eventType = 'ToolResultCommitted';
    await world.stack.faults.arm({ on: 'append', stream, eventType, do: 'fail_unavailable' });
  };

  it('F03: where the second result cannot be written the third call never starts, and the stream gets three results', async () => {
    const { client, model, probe, stack } = world;
    const batches: Readonly<Record<string, readonly string[]>> = {
      'F03-sequential': ['probe_alone', 'probe_brief', 'probe_alone'],
      'F03-segmented': ['probe_write', 'probe_brief', 'probe_write'],
    };
    model.otherwise((messages): Reply => {
      const { input, replies } = placeOf(messages);
      const tools = replies === 0 ? (batches[input] ?? []) : [];
      if (tools.length === 0) return { text: 'went on' };
      const calls = tools.map((name, index) =>
        call(
          name,
          { k: `${input}/c${index + 1}`, ...(index === 1 ? { hold: 'then' } : {}) },
          `c${index + 1}`,
        ),
      );
      return { calls };
    });
    const effectsOf = (input: string) => ['c1', 'c2', 'c3'].map((c) => probe.countOf(`${input}/${c}`));
    const turns = await Promise.all(Object.keys(batches).map(began));
    for (const { sessionId } of turns) await losesResult(sessionId, 1);
    await eventually('the second calls have their effects', () =>
      turns.every(({ input }) => effectsOf(input)[1] === 1),
    );
    probe.release();
    await scene.faultHit();
    for (const { input, sessionId, turnId } of turns) {
      const { status, failure } = await client.ended(sessionId, turnId);
      expect({ status, failure }).toMatchObject({
        status: 'failed',
        failure: { code: 'session_persistence_failed', cause: 'result_not_committed' },
      });
      expect((await outcomes(sessionId)).slice(0, 2)).toEqual(['succeeded', null]);
      expect(scene.asked(input)).toBe(1);
    }
    await stack.kill(executor);
    await stack.faults.heal();
    await scene.revive(executor);
    for (const { input, sessionId } of turns) {
      await eventually('every call is settled', async () => !(await outcomes(sessionId)).includes(null));
      expect(await client.calls(sessionId)).toMatchObject([
        { outcome: 'succeeded', effect: 'applied', epochs: [0] },
        { outcome: 'succeeded', effect: 'applied', readback: { effect: 'applied' } },
        { outcome: 'skipped', effect: 'none', code: 'session_persistence_failed', epochs: [] },
      ]);
      expect(JSON.stringify((await client.calls(sessionId))[2]?.content)).toContain('Not run');
      expect(effectsOf(input)).toEqual([1, 1, 0]);
      await client.runTurn(sessionId, 'again');
      await scene.isLegal(sessionId);
    }
  });

  it('F03: where calls run together and one result cannot be written, the others are let finish or marked, and each gets one', async () => {
    const { client, model, probe, stack } = world;
    const keys = ['F03-c1', 'F03-c2', 'F03-c3', 'F03-c4'];
    const [quick, lost, slow, killed] = keys.map((k) => ({ k, hold: 'then' }));
    const calls = [
      call('probe_write', quick, 'c1'),
      call('probe_quick', lost, 'c2'),
      call('probe_write', slow, 'c3'),
      call('probe_once', killed, 'c4'),
    ];
    model.says({ calls }, { text: 'went on' });
    const { sessionId, turnId } = await began('F03-concurrent');
    await losesResult(sessionId, 1);
    await eventually('all have their effects', () => keys.every((k) => probe.countOf(k) === 1));
    for (const k of keys.slice(0, 2)) probe.release(k);
    await eventually('one is recorded', async () => (await outcomes(sessionId))[0] === 'succeeded');
    expect(await client.ended(sessionId, turnId)).toMatchObject({
      status: 'failed',
      failure: { code: 'session_persistence_failed', cause: 'result_not_committed' },
    });
    expect(await outcomes(sessionId)).toEqual(['succeeded', null, null, null]);
    probe.release(keys[2]);
    await eventually('one is let finish', async () => (await outcomes(sessionId))[2] === 'succeeded');
    expect(scene.asked('F03-concurrent')).toBe(1);
    await stack.kill(executor);
    await stack.faults.heal();
    await scene.revive(executor);
    await eventually('every call is settled', async () => !(await outcomes(sessionId)).includes(null));
    const finished = { outcome: 'succeeded', effect: 'applied', epochs: [0] };
    expect(await client.calls(sessionId)).toMatchObject([
      finished,
      { outcome: 'succeeded', effect: 'applied', readback: { effect: 'applied' }, epochs: [0, 1] },
      finished,
      { outcome: 'unknown', effect: 'unknown', epochs: [0, 1] },
    ]);
    expect(keys.map((k) => probe.countOf(k))).toEqual([1, 1, 1, 1]);
    expect((await client.runTurn(sessionId, 'again')).status).toBe('completed');
    await scene.isLegal(sessionId);
  });

  const unknown = { outcome: 'unknown', effect: 'unknown' };
  const readBack = { outcome: 'succeeded', effect: 'applied', readback: { effect: 'applied' } };
  it.each([
    ['can be read back: the probe is read, not repeated', 'probe_write', readBack, 'written'],
    ['has no readback: its outcome is unknown', 'probe_once', unknown, 'ended before its result'],
    ['gives none when asked: its outcome is unknown', 'probe_dark', unknown, 'ended before its result'],
  ])(
    'F04: one result is recorded, the executor of the other dies before it writes; that one %s',
    async (...given) => {
      const [, tool, result, words] = given;
      const { client, model, probe } = world;
      const k = `F04-${tool}`;
      await scene.armCrash(executor, 'K5:2');
      model.says(
        { calls: [call('echo', { text: k }, 'a'), call(tool, { k, hold: 'then' }, 'b')] },
        { text: 'done' },
      );
      const { sessionId, turnId } = await began(k);
      await eventually(
        'the first result is on record',
        async () => (await outcomes(sessionId))[0] === 'succeeded',
      );
      await eventually('the effect', () => probe.countOf(k) === 1);
      probe.release();
      await scene.crashed(executor);
      expect(await outcomes(sessionId)).toEqual(['succeeded', null]);
      const [before] = await client.calls(sessionId);
      await scene.revive(executor);
      expect(await client.ended(sessionId, turnId)).toMatchObject({ status: 'completed', finalText: 'done' });
      const [a, b] = await client.calls(sessionId);
      expect(a).toEqual(before);
      expect(a).toMatchObject({ outcome: 'succeeded', effect: 'none', epochs: [0] });
      expect(b).toMatchObject({ ...result, epochs: [0, 1] });
      expect([probe.countOf(`read:${k}`), probe.countOf(k)]).toEqual([1, 1]);
      expect(model.requests).toHaveLength(2);
      const rows = toolRowsOf(model.requests[1] ?? '');
      expect(rows).toHaveLength(2);
      expect(rows[0]).toContain(k);
      expect(rows[1]).toContain(words);
      await scene.isLegal(sessionId);
    },
  );

  it.each([
    ['is read back', 'probe_write', readBack],
    ['cannot be read back and is marked', 'probe_once', unknown],
  ])(
    'F13: what has finished is recorded at once and survives the death of its executor beside a call that hangs, which %s',
    async (...given) => {
      const [, tool, result] = given;
      const { client, model, probe, stack } = world;
      const keys = ['c1', 'c2', 'c3'].map((name) => `F13/${tool}/${name}`);
      const [c1, c2, c3] = keys;
      const quick = (k?: string) => call('probe_write', { k, ms: 50 });
      model.says({ calls: [quick(c1), quick(c2), call(tool, { k: c3, hold: 'then' })] }, { text: 'done' });
      const { sessionId, turnId } = await began(`F13-${tool}`);
      await eventually('all have their effects', () => keys.every((k) => probe.countOf(k) === 1));
      await pause(3_000);
      await stack.kill(executor);
      // Whoever ran them is dead: what is on record now was written as each of them finished.
      const before = await client.calls(sessionId);
      const finished = { outcome: 'succeeded', effect: 'applied', epochs: [0] };
      expect(before).toMatchObject([finished, finished, { outcome: null, epochs: [0] }]);
      await scene.revive(executor);
      expect((await client.ended(sessionId, turnId)).status).toBe('completed');
      const after = await client.calls(sessionId);
      expect(after.slice(0, 2)).toEqual(before.slice(0, 2));
      expect(after[2]).toMatchObject({ ...result, epochs: [0, 1] });
      expect(keys.map((k) => probe.countOf(k))).toEqual([1, 1, 1]);
      await scene.isLegal(sessionId);
    },
  );
});
