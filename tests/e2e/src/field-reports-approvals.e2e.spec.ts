import { approvalListSchema, type Approval } from '@writ/contracts';
import { audited, call, Client, eventually, patient, rowsOf, Scene, startWorld, toolRowsOf } from './world';
import type { World } from './world';

jest.setTimeout(120_000);

const orchestrator = 'turn-orchestrator-1';
const approvals = 'approval-service-1';
const impatient = require.resolve('../fixtures/impatient.config.yaml');
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** How denials broke conversations and deadlines were not kept, tried here (F19, F20). */
describe('the field reports: what a person says', () => {
  let world: World;
  let scene: Scene;
  let desk: Client;
  const begin = async (config?: string) => {
    world = await startWorld({ env: patient, ...(config === undefined ? {} : { config }) });
    scene = new Scene(world);
    desk = new Client(world.stack.addresses.approvals ?? '');
  };
  const asked = (sessionId: string): Promise<Approval> =>
    eventually('a person is asked', async () => {
      const { text } = await desk.send('GET', '/v1/approvals?status=pending');
      const { items } = approvalListSchema.parse(JSON.parse(text));
      return items.find((item) => item.sessionId === sessionId && item.deadline !== undefined);
    });
  const decide = ({ callId, argsDigest }: Approval, decision: object) =>
    desk.send('POST', `/v1/approvals/${callId}/decision`, { argsDigest, ...decision });
  const waiting = async (k: string) => {
    const { client, model } = world;
    model.says({ calls: [call('echo', { text: k }, 'r'), call('probe_ask', { k }, 'w')] }, { text: 'done' });
    const sessionId = await client.openSession();
    const turnId = await client.startTurn(sessionId, k);
    return { sessionId, turnId, approval: await asked(sessionId) };
  };

  afterEach(() => scene.restore(orchestrator, approvals));
  afterEach(async () => expect((await audited(world.stack.addresses.eventstore)).findings).toEqual([]));

  describe('F20: a batch of which one call runs and one is denied', () => {
    beforeAll(() => begin());
    afterAll(() => world.close());

    it.each([
      ['without a reason', 'F20-bare', {}, 'denied'],
      ['with a reason', 'F20-why', { comment: 'not on a Friday' }, 'not on a Friday'],
    ])(
      '%s: it has a result that says so, and the next request is legal, over a restart as well',
      async (...given) => {
        const [, k, more, words] = given;
        const { client, model, probe } = world;
        await scene.armCrash(orchestrator, 'K9');
        const { sessionId, turnId, approval } = await waiting(k);
        expect((await decide(approval, { decision: 'deny', ...more })).status).toBe(200);
        await scene.crashed(orchestrator);
        expect(model.requests).toHaveLength(1);
        await scene.revive(orchestrator);
        expect(await client.ended(sessionId, turnId)).toMatchObject({ status: 'completed' });
        const [ran, denied] = await client.calls(sessionId);
        expect(ran).toMatchObject({ outcome: 'succeeded', epochs: [0] });
        expect(denied).toMatchObject({ outcome: 'denied', effect: 'none', epochs: [] });
        expect(model.requests).toHaveLength(2);
        const last = model.requests[1] ?? '';
        expect(rowsOf(last).map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool', 'tool']);
        expect(toolRowsOf(last)).toEqual([k, words].map((text) => expect.stringContaining(text) as unknown));
        expect([probe.countOf(`read:${k}`), probe.countOf(k)]).toEqual([1, 0]);
        await scene.isLegal(sessionId);
      },
    );
  });

  describe('F19: a decision near its deadline', () => {
    beforeAll(() => begin(impatient));
    afterAll(() => world.close());
    const past = ({ deadline }: Approval, ms: number) =>
      pause(Math.max(0, Date.parse(deadline ?? '') + ms - Date.now()));

    it('that comes after it is refused although nobody has swept yet, and the call is expired', async () => {
      const { client, probe, stack } = world;
      const { sessionId, turnId, approval } = await waiting('F19-late');
      stack.signal(approvals, 'SIGSTOP');
      await past(approval, 1_000);
      expect(await client.calls(sessionId)).toMatchObject([{ outcome: 'succeeded' }, { outcome: null }]);
      const decided = decide(approval, { decision: 'grant' });
      stack.signal(approvals, 'SIGCONT');
      expect((await decided).status).toBe(410);
      expect((await client.ended(sessionId, turnId)).status).toBe('completed');
      const [, expired] = await client.calls(sessionId);
      expect(expired).toMatchObject({
        outcome: 'expired',
        effect: 'none',
        code: 'approval_expired',
        epochs: [],
      });
      expect(probe.countOf('F19-late')).toBe(0);
      await scene.isLegal(sessionId);
    });

    it.each([
      ['before the expiry stands, though the deadline has passed', 'F19-first', true, 'succeeded'],
      ['after the expiry comes too late, though it was given in time', 'F19-second', false, 'expired'],
    ])('that was given before it and is written %s, live and in replay', async (...given) => {
      const [, k, isFirst, outcome] = given;
      const { client, probe, stack } = world;
      const { sessionId, turnId, approval } = await waiting(k);
      await stack.faults.arm({ on: 'append', eventType: 'ApprovalGranted', do: 'hold' });
      if (isFirst) await stack.faults.arm({ on: 'append', eventType: 'ApprovalExpired', do: 'hold' });
      const decided = decide(approval, { decision: 'grant' });
      await past(approval, 1_000);
      if (!isFirst)
        await eventually(
          'it is expired',
          async () => (await client.calls(sessionId))[1]?.outcome === 'expired',
        );
      await stack.faults.heal();
      expect((await decided).status).toBe(isFirst ? 200 : 410);
      expect((await client.ended(sessionId, turnId)).status).toBe('completed');
      const [, settled] = await client.calls(sessionId);
      expect(settled).toMatchObject({ outcome, late: isFirst ? [] : [{ kind: 'decision' }] });
      expect(probe.countOf(k)).toBe(isFirst ? 1 : 0);
      const shown = await client.transcriptText(sessionId, 'canonical');
      await stack.kill(orchestrator);
      await scene.revive(orchestrator);
      expect(await client.transcriptText(sessionId, 'canonical')).toBe(shown);
    });
  });
});
