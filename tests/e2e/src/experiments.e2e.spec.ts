import { call, startWorld, type World } from './world';

jest.setTimeout(60_000);

describe('the experiments of the seed', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(() => world.close());

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
});
