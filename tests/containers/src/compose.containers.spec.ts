import type { CanonicalCall } from '@writ/contracts';
import { until, Writ } from '@writ/stack';
import { startComposeStack, type ComposeStack } from './compose-stack';
import { apps, build, docker, eventually, logsOf, run } from './engine';
import { containerLimits } from './limits';

jest.setTimeout(containerLimits.buildMs);

const killedExitCode = 137;

describe('the compose stack', () => {
  let stack: ComposeStack;
  let writ: Writ;
  let sessionId = '';
  beforeAll(async () => {
    for (const app of apps) await build(app);
    stack = await startComposeStack();
    const orchestrator = await stack.addressOf('turn-orchestrator', 7401);
    const approvals = await stack.addressOf('approval-service', 7403);
    writ = new Writ(`http://${orchestrator}`, `http://${approvals}`);
  });
  afterAll(() => stack?.dispose());

  const callsOf = (step: number) =>
    eventually(
      `step ${step}`,
      async () => (await writ.transcript(sessionId)).turns[0]?.steps[step - 1]?.calls,
    );
  const settled = (step: number): Promise<readonly CanonicalCall[]> =>
    eventually(`the results of step ${step}`, async () => {
      const calls = await callsOf(step);
      return calls.every(({ outcome }) => outcome !== null) ? calls : undefined;
    });
  /** Effects, counted where they happen. */
  const effectsOf = async (ledger: string, callId: string): Promise<number> => {
    const look = ['sh', '-c', `cat /var/lib/writ/.writ/ledgers/${ledger}.jsonl 2>/dev/null || true`];
    for (const id of await stack.containersOf('tool-executor')) {
      if ((await docker('inspect', '--format', '{{.State.Running}}', id)) !== 'true') continue;
      return (await docker('exec', id, ...look)).split('\n').filter((entry) => entry.includes(callId)).length;
    }
    throw new Error('no executor runs');
  };
  const holderOf = async (callId: string): Promise<string | undefined> => {
    for (const id of await stack.containersOf('tool-executor')) {
      const lines = (await logsOf(id)).split('\n');
      if (lines.some((line) => line.includes('"tool_started"') && line.includes(callId))) return id;
    }
    return undefined;
  };

  it('runs the turn of the demo, an executor killed and two people asked included', async () => {
    sessionId = await writ.openSession();
    const turnId = await writ.startTurn(sessionId, 'Invoice Bob for 25.00 and pay it from Alice’s account.');

    expect((await settled(1)).map(({ outcome }) => outcome)).toEqual(['succeeded', 'refused', 'refused']);
    expect(await settled(2)).toMatchObject([{ readback: { effect: 'applied' }, effect: 'applied' }]);

    const [transfer] = await callsOf(3);
    const callId = transfer?.callId ?? '';
    const holder = await eventually('the transfer has a holder', () => holderOf(callId));
    await eventually('the money moves', async () =>
      (await effectsOf('bank', callId)) > 0 ? true : undefined,
    );
    await docker('kill', '--signal', 'KILL', holder);
    // No socket of the killed container can be asked from another one: its lease ends as silent, after the TTL.
    expect(await settled(3)).toMatchObject([{ outcome: 'succeeded', effect: 'applied', epochs: [0, 1] }]);
    expect(await effectsOf('bank', callId)).toBe(1);

    const letters = await until('both approvals', async () => {
      const waiting = await writ.waiting();
      return waiting.length === 2 ? waiting : undefined;
    });
    for (const letter of letters) await writ.decide(letter, letter.args['to'] === 'bob' ? 'grant' : 'deny');
    expect((await settled(4)).map(({ outcome }) => outcome).sort()).toEqual(['denied', 'succeeded']);
    const turn = await eventually('the turn ends', async () => {
      const now = await writ.turn(sessionId, turnId);
      return now.endedAt === undefined ? undefined : now;
    });
    expect(turn.status).toBe('completed');
  });

  it('leaves a record that the audit, from outside, finds nothing wrong with', async () => {
    const url = `esdb://${await stack.addressOf('eventstore', 2113)}?tls=false`;
    const verify = ['apps/writ/bin/writ.cjs', 'audit', 'verify', '--json', '--eventstore', url];
    const report: unknown = JSON.parse(await run(process.execPath, verify));
    expect(report).toMatchObject({ ok: true, findings: [], counts: { sessions: 1, calls: 7 } });
  });

  it('ends every service in order when it is told to', async () => {
    expect((await stack.stop()).toSorted()).toEqual([0, 0, 0, killedExitCode]);
  });
});
