import { audited, call, eventually, patient, Scene, startWorld, type World } from './world';

jest.setTimeout(120_000);

const orchestrator = 'turn-orchestrator-1';

/** How other runtimes misread replies, tried here: ids, cuts, arguments, names, order (F07 to F10, F12, F14). */
describe('the field reports: what models send', () => {
  let world: World;
  let scene: Scene;
  beforeAll(async () => {
    world = await startWorld({ env: patient });
    scene = new Scene(world);
  });
  afterAll(() => world.close());
  afterEach(() => scene.restore(orchestrator));
  afterEach(async () => expect((await audited(world.stack.addresses.eventstore)).findings).toEqual([]));

  it('F07: a provider id that comes again in every turn names a new call each time', async () => {
    const { client, model, probe } = world;
    const sessionId = await client.openSession();
    for (const k of ['F07-1', 'F07-2', 'F07-2']) {
      model.says({ calls: [call('probe_write', { k }, 'call_0')] }, { text: 'done' });
      expect((await client.runTurn(sessionId, k)).status).toBe('completed');
    }
    expect([probe.countOf('F07-1'), probe.countOf('F07-2')]).toEqual([1, 2]);
    const calls = (await client.transcript(sessionId)).turns.flatMap(({ steps }) =>
      steps.flatMap((step) => step.calls),
    );
    expect(calls.map(({ providerCallId }) => providerCallId)).toEqual(['call_0', 'call_0', 'call_0']);
    expect(new Set(calls.map(({ callId }) => callId)).size).toBe(3);
    for (const { callId } of calls) expect(probe.count(callId)).toBe(1);
    await scene.isLegal(sessionId);
  });

  describe('F08: one provider id for two calls of one reply', () => {
    it.each([
      ['the same tool', 'probe_write', 'probe_write'],
      ['two tools', 'probe_write', 'probe_same'],
    ])('%s: both run once, each result on its own call', async (_which, first, second) => {
      const { client, model, probe } = world;
      model.says(
        { calls: [call(first, { k: `A${second}` }, 'r1'), call(second, { k: `B${second}` }, 'r1')] },
        { text: 'done' },
      );
      const sessionId = await client.openSession();
      expect((await client.runTurn(sessionId, 'go')).status).toBe('completed');
      const calls = await client.calls(sessionId);
      expect(calls.map(({ content }) => content)).toEqual([
        [{ type: 'json', value: { written: `A${second}` } }],
        [{ type: 'json', value: { written: `B${second}` } }],
      ]);
      for (const { callId } of calls) expect(probe.count(callId)).toBe(1);
      await scene.isLegal(sessionId);
    });

    it('an identical entry is kept and refused', async () => {
      const { client, model, probe } = world;
      const entry = call('probe_write', { k: 'F08' }, 'r1');
      model.says({ calls: [entry, entry] }, { text: 'done' });
      const sessionId = await client.openSession();
      expect((await client.runTurn(sessionId, 'go')).status).toBe('completed');
      expect(await client.calls(sessionId)).toMatchObject([
        { outcome: 'succeeded', effect: 'applied' },
        { outcome: 'refused', effect: 'none', code: 'duplicate_call', epochs: [] },
      ]);
      expect(probe.countOf('F08')).toBe(1);
      await scene.isLegal(sessionId);
    });
  });

  describe('F09: a reply that was cut', () => {
    const half = '{"k":"F09-half';
    it.each([
      ['length', 'truncated'],
      ['tool_calls', 'invalid_arguments'],
    ])('with finish reason %s: the cut call never runs, the whole one before it does', async (why, code) => {
      const { client, model, probe } = world;
      const k = `F09-${why}`;
      model.says(
        { calls: [call('probe_write', { k }, 'c1'), call('probe_write', half, 'c2')], finishReason: why },
        { text: 'done' },
      );
      const sessionId = await client.openSession();
      expect((await client.runTurn(sessionId, 'go')).status).toBe('completed');
      expect(await client.calls(sessionId)).toMatchObject([
        { outcome: 'succeeded', effect: 'applied' },
        { outcome: 'refused', effect: 'none', code, rawArguments: half, args: null, epochs: [] },
      ]);
      expect([probe.countOf(k), probe.countOf('F09-half')]).toEqual([1, 0]);
      await scene.isLegal(sessionId);
    });

    it('with finish reason length even a last call that parses is not taken for whole', async () => {
      const { client, model, probe } = world;
      model.says(
        { calls: [call('probe_write', { k: 'F09-parses' })], finishReason: 'length' },
        { text: 'done' },
      );
      const sessionId = await client.openSession();
      expect((await client.runTurn(sessionId, 'go')).status).toBe('completed');
      expect(await client.calls(sessionId)).toMatchObject([{ outcome: 'refused', code: 'truncated' }]);
      expect(probe.countOf('F09-parses')).toBe(0);
    });
  });

  it('F10: of seven kinds of arguments those that can only mean none run, the others are refused in place', async () => {
    const { client, model, probe } = world;
    const texts = ['', '   ', '[]', 'null', '42', '{"a":1}{"a":1}', '{}'];
    model.says(
      {
        calls: [
          ...texts.map((text, index) => call('probe_free', text, `f${index}`)),
          call('probe_write', { k: 'F10' }, 'valid'),
        ],
      },
      { text: 'done' },
    );
    const sessionId = await client.openSession();
    const before = probe.countOf('free');
    expect((await client.runTurn(sessionId, 'go')).status).toBe('completed');
    const calls = await client.calls(sessionId);
    expect(calls.map(({ outcome }) => outcome)).toEqual([
      ...['succeeded', 'succeeded', 'refused', 'refused', 'refused', 'refused', 'succeeded'],
      'succeeded',
    ]);
    expect(calls.slice(0, -1).map(({ rawArguments }) => rawArguments)).toEqual(texts);
    for (const { callId, outcome } of calls)
      expect(probe.count(callId)).toBe(outcome === 'succeeded' ? 1 : 0);
    expect(probe.countOf('free') - before).toBe(3);
    expect(probe.countOf('F10')).toBe(1);
    await scene.isLegal(sessionId);
  });

  it('F12: a bad name refuses its own call alone, and is matched only where one tool can be meant', async () => {
    const { client, model, probe } = world;
    model.says(
      {
        calls: [
          call('echo', { text: 'x' }, 'c1'),
          call('no_such_tool', {}, 'c2'),
          call('Probe_Write', { k: 'F12' }, 'c3'),
          call('Get_By_Id', { k: 'F12-near' }, 'c4'),
        ],
      },
      { text: 'done' },
    );
    const sessionId = await client.openSession();
    expect((await client.runTurn(sessionId, 'go')).status).toBe('completed');
    const calls = await client.calls(sessionId);
    expect(calls).toMatchObject([
      { outcome: 'succeeded', tool: 'echo' },
      { outcome: 'refused', tool: null, nameSent: 'no_such_tool', code: 'unknown_tool' },
      { outcome: 'succeeded', tool: 'probe_write', nameSent: 'Probe_Write' },
      { outcome: 'refused', tool: null, nameSent: 'Get_By_Id', code: 'unknown_tool' },
    ]);
    expect(JSON.stringify(calls[1]?.content)).toContain('probe_write');
    expect(JSON.stringify(calls[3]?.content)).toContain('get-by-id, get_by_id');
    expect([probe.countOf('F12'), probe.countOf('F12-near')]).toEqual([1, 0]);
    await scene.isLegal(sessionId);
  });

  it('F14: results are committed as they finish and shown in call order, the same on every replay', async () => {
    const { client, model, probe, stack } = world;
    const keys = ['F14-0', 'F14-1', 'F14-2'];
    const [slow, ...quick] = keys;
    model.says(
      {
        calls: [
          call('probe_write', { k: slow, hold: 'then' }, 'c0'),
          ...quick.map((k, index) => call('probe_write', { k }, `c${index + 1}`)),
        ],
      },
      { text: 'done' },
    );
    const sessionId = await client.openSession();
    const turnId = await client.startTurn(sessionId, 'go');
    await eventually('the later ones are committed', async () => {
      const [, second, third] = await client.calls(sessionId);
      return second?.outcome === 'succeeded' && third?.outcome === 'succeeded';
    });
    expect((await client.calls(sessionId))[0]?.outcome).toBeNull();
    probe.release();
    expect((await client.ended(sessionId, turnId)).status).toBe('completed');
    const calls = await client.calls(sessionId);
    expect(calls.map(({ providerCallId }) => providerCallId)).toEqual(['c0', 'c1', 'c2']);
    const [last, ...before] = calls.map(({ positions }) => BigInt(positions.committed ?? -1));
    expect(before.every((position) => last !== undefined && position < last)).toBe(true);
    const rows = JSON.parse(model.requests[1] ?? '') as { messages: { role: string; content: string }[] };
    const shown = rows.messages.filter(({ role }) => role === 'tool').map(({ content }) => content);
    expect(shown.map((content) => keys.findIndex((k) => content.includes(k)))).toEqual([0, 1, 2]);
    const first = await client.transcriptText(sessionId, 'anthropic');
    await stack.kill(orchestrator);
    await scene.revive(orchestrator);
    expect(await client.transcriptText(sessionId, 'anthropic')).toBe(first);
    expect(keys.map((k) => probe.countOf(k))).toEqual([1, 1, 1]);
    await scene.isLegal(sessionId);
  });
});
