import { openaiMessageSchema } from '@writ/contracts';
import { z } from 'zod';
import { audited, call, Scene, startWorld, type World } from './world';

jest.setTimeout(120_000);

const orchestrator = 'turn-orchestrator-1';
const requestSchema = z.object({ messages: z.array(openaiMessageSchema) });

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

  it('F16: stopped before the next model call and taken up three times in a row, it runs nothing again and adds nothing', async () => {
    const { client, model, probe, stack } = world;
    const keys = ['F16a', 'F16b', 'F16c'];
    await scene.armCrash(orchestrator, 'K9');
    model.says({ calls: keys.map((k) => call('probe_write', { k }, k)) }, { text: 'done' });
    const sessionId = await client.openSession();
    const turnId = await client.startTurn(sessionId, 'go');
    await scene.crashed(orchestrator);
    for (let resumed = 1; resumed <= 3; resumed += 1) {
      await stack.launch(orchestrator, { WRIT_CRASH_AT: 'K9' });
      await scene.crashed(orchestrator);
      expect(scene.linesOf(orchestrator, 'crash_point')).toHaveLength(1 + resumed);
    }
    expect(keys.map((k) => probe.countOf(k))).toEqual([1, 1, 1]);
    expect(model.requests).toHaveLength(1);
    await scene.revive(orchestrator);
    expect(await client.ended(sessionId, turnId)).toMatchObject({ status: 'completed', finalText: 'done' });
    expect(keys.map((k) => probe.countOf(k))).toEqual([1, 1, 1]);
    expect(model.requests).toHaveLength(2);
    const { messages } = requestSchema.parse(JSON.parse(model.requests[1] ?? ''));
    const roles = messages.map(({ role }) => role).filter((role) => role !== 'system');
    expect(roles).toEqual(['user', 'assistant', 'tool', 'tool', 'tool']);
    expect(await scene.count(sessionId, 'TurnStarted')).toBe(1);
    expect(await scene.count(sessionId, 'ToolCallStaged')).toBe(3);
    expect((await client.calls(sessionId)).map(({ epochs }) => epochs)).toEqual([[0], [0], [0]]);
  });
});
