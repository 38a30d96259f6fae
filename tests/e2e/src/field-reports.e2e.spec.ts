import { audited, call, eventually, patient, Scene, startWorld, type World } from './world';

jest.setTimeout(120_000);

const orchestrator = 'turn-orchestrator-1';
const executor = 'tool-executor-1';
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** How other runtimes lost, doubled or orphaned calls, tried here: when the record cannot be written (F01, F02). */
describe('the field reports: what cannot be written', () => {
  let world: World;
  let scene: Scene;
  beforeAll(async () => {
    world = await startWorld({ env: { ...patient, WRIT_UNCLAIMED_MS: '30000' } });
    scene = new Scene(world);
  });
  afterAll(() => world.close());
  afterEach(() => scene.restore(orchestrator, executor));
  afterEach(async () => expect((await audited(world.stack.addresses.eventstore)).findings).toEqual([]));

  describe('F01: a transcript that is written only after the tools ran', () => {
    it('(a) while the acknowledgement of the staging append is held nothing runs, then once', async () => {
      const { client, model, probe, stack } = world;
      await stack.faults.arm({ on: 'append', eventType: 'ToolCallStaged', do: 'hold' });
      model.says({ calls: [call('probe_write', { k: 'F01a' }, 'c1')] }, { text: 'done' });
      const sessionId = await client.openSession();
      const turnId = await client.startTurn(sessionId, 'go');
      await scene.faultHit();
      await pause(5_000);
      expect(probe.countOf('F01a')).toBe(0);
      await stack.faults.heal();
      expect((await client.ended(sessionId, turnId)).status).toBe('completed');
      expect(probe.countOf('F01a')).toBe(1);
      expect(await scene.count(sessionId, 'ToolCallStaged')).toBe(1);
    });

    it('(b) a staging append that fails outright runs nothing and wakes nobody', async () => {
      const { client, model, probe, stack } = world;
      await stack.faults.arm({ on: 'append', eventType: 'ToolCallStaged', do: 'fail_unavailable' });
      model.says({ calls: [call('probe_write', { k: 'F01b' }, 'c1')] });
      const sessionId = await client.openSession();
      expect(await client.runTurn(sessionId, 'go')).toMatchObject({
        status: 'failed',
        failure: { code: 'session_persistence_failed', cause: 'store_unavailable' },
        openCalls: [],
      });
      await stack.faults.heal();
      expect(probe.countOf('F01b')).toBe(0);
      expect(await scene.count(sessionId, 'ToolCallStaged')).toBe(0);
      const woken = stack.output(orchestrator).filter((line) => line.includes('"call_woken"'));
      expect(woken.filter((line) => line.includes(sessionId))).toEqual([]);
    });

    it('(c) killed with the staging append stored: the stream decides, and the call runs once', async () => {
      const { client, model, probe, stack } = world;
      await scene.armCrash(orchestrator, 'K1');
      await stack.faults.arm({ on: 'append', eventType: 'ToolCallStaged', do: 'store_then_drop_ack' });
      model.says({ calls: [call('probe_write', { k: 'F01c1' }, 'c1')] }, { text: 'done' });
      const sessionId = await client.openSession();
      const turnId = await client.startTurn(sessionId, 'go');
      await scene.crashed(orchestrator);
      await scene.faultHit();
      expect(await scene.count(sessionId, 'ToolCallStaged')).toBe(1);
      expect(probe.countOf('F01c1')).toBe(0);
      await stack.faults.heal();
      await scene.revive(orchestrator);
      expect(await client.ended(sessionId, turnId)).toMatchObject({ status: 'completed', finalText: 'done' });
      expect(probe.countOf('F01c1')).toBe(1);
      expect(await scene.count(sessionId, 'ToolCallStaged')).toBe(1);
      expect(model.requests).toHaveLength(2);
    });

    it('(c) killed with the staging append lost: the call does not exist, and nothing runs on its behalf', async () => {
      const { client, model, probe, stack } = world;
      await scene.armCrash(orchestrator, 'K1');
      await stack.faults.arm({ on: 'append', eventType: 'ToolCallStaged', do: 'hold' });
      model.says(
        { calls: [call('probe_write', { k: 'F01c2-lost' }, 'c1')] },
        { calls: [call('probe_write', { k: 'F01c2-next' }, 'c1')], delayMs: 3_000 },
        { text: 'done' },
      );
      const sessionId = await client.openSession();
      const turnId = await client.startTurn(sessionId, 'go');
      await scene.crashed(orchestrator);
      await scene.faultHit();
      await scene.revive(orchestrator);
      // The held append is handled only now, behind the new owner's lease.
      await eventually('the model is asked again', () => model.requests.length === 2);
      await stack.faults.heal();
      expect((await client.ended(sessionId, turnId)).status).toBe('completed');
      expect(probe.countOf('F01c2-lost')).toBe(0);
      expect(probe.countOf('F01c2-next')).toBe(1);
      expect(await scene.count(sessionId, 'ToolCallStaged')).toBe(1);
    });
  });

  describe('F02: a result that cannot be written, and a request that is sent again and again', () => {
    it.each([
      ['whose executor lives', 'F02-lives', false, ['turn_in_progress', 'earlier_calls_open']],
      ['whose executor is killed and starts again', 'F02-killed', true, ['turn_in_progress']],
    ])('a call %s is settled once, and its effect is not repeated', async (_which, k, isKilled, codes) => {
      const { client, model, probe, stack } = world;
      const fault = { stream: 'toolcall-', eventType: 'ToolResultCommitted' } as const;
      await stack.faults.arm({ on: 'append', ...fault, do: 'fail_unavailable' });
      model.says({ calls: [call('probe_slow', { k }, 'c1')] });
      const sessionId = await client.openSession();
      const turnId = await client.startTurn(sessionId, k);
      await eventually('the effect', () => probe.countOf(k) === 1);
      await scene.faultHit();
      if (isKilled) await stack.kill(executor);
      await scene.revive(executor);
      const failsUntil = Date.now() + 10_000;
      const seen = new Set<string>();
      await eventually('every refusal was seen', async () => {
        const again = await client.problem('POST', `/v1/sessions/${sessionId}/turns`, { input: k });
        expect(again.status).toBe(409);
        seen.add(again.code);
        return Date.now() > failsUntil && codes.every((code) => seen.has(code));
      });
      expect(scene.asked(k)).toBe(1);
      model.says({ text: 'went on' }, { text: 'went on' });
      await stack.faults.heal();
      const turn = await client.ended(sessionId, turnId);
      if (turn.status === 'failed')
        expect(turn.failure).toMatchObject({
          code: 'session_persistence_failed',
          cause: 'result_not_committed',
        });
      const settled = await eventually('the call is settled', async () =>
        (await client.calls(sessionId)).find(({ outcome }) => outcome !== null),
      );
      expect(settled).toMatchObject({ outcome: 'succeeded', effect: 'applied' });
      expect(settled.readback?.effect).toBe(isKilled ? 'applied' : undefined);
      const again = await eventually('the same request is taken', async () => {
        const { status, text } = await client.send('POST', `/v1/sessions/${sessionId}/turns?wait=true`, {
          input: k,
        });
        return status === 200 ? text : undefined;
      });
      expect(JSON.parse(again)).toMatchObject({ status: 'completed', finalText: 'went on' });
      expect(probe.countOf(k)).toBe(1);
      expect(await scene.count(sessionId, 'ToolCallStaged')).toBe(1);
      await scene.isLegal(sessionId);
    });
  });
});
