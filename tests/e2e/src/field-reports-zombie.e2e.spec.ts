import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { approvalListSchema } from '@writ/contracts';
import { audited, call, Client, eventually, Scene, startWorld, type World } from './world';

jest.setTimeout(120_000);

const executors = ['tool-executor-1', 'tool-executor-2'] as const;
const command = resolve(__dirname, '..', '..', '..', 'apps', 'writ', 'dist', 'main.js');

/** How two held one call, and how a secret got out with every new view of it, tried here (F28). */
describe('the field reports: holders that are not dead, and secrets', () => {
  let world: World;
  let scene: Scene;
  beforeAll(async () => {
    world = await startWorld({ executors: 2, env: { WRIT_LOG_LEVEL: 'debug' } });
    scene = new Scene(world);
  });
  afterAll(() => world.close());
  afterEach(() => scene.restore('turn-orchestrator-1', ...executors));
  afterEach(async () => expect((await audited(world.stack.addresses.eventstore)).findings).toEqual([]));

  it('F28: a holder that is frozen past its lease is superseded, and what it says later is evidence and no result', async () => {
    const { client, model, probe, stack } = world;
    model.says({ calls: [call('probe_write', { k: 'F28', hold: 'then' })] }, { text: 'done' });
    const sessionId = await client.openSession();
    const turnId = await client.startTurn(sessionId, 'go');
    await eventually('the effect', () => probe.countOf('F28') === 1);
    const [{ callId } = { callId: '' }] = await client.calls(sessionId);
    const first = executors.find((name) => scene.logged(name, 'tool_started', callId));
    if (first === undefined) throw new Error('no executor has started the tool');
    stack.signal(first, 'SIGSTOP');
    // Its tool goes on while it hears nothing: the result waits for it when it wakes.
    probe.release();
    expect(await client.ended(sessionId, turnId)).toMatchObject({ status: 'completed', finalText: 'done' });
    const [settled] = await client.calls(sessionId);
    expect(settled).toMatchObject({
      outcome: 'succeeded',
      effect: 'applied',
      readback: { effect: 'applied' },
      epochs: [0, 1],
      late: [],
    });
    stack.signal(first, 'SIGCONT');
    const late = await eventually('its result is kept as evidence', async () => {
      const [now] = await client.calls(sessionId);
      return now?.late.length === 1 ? now : undefined;
    });
    expect(late).toMatchObject({ outcome: 'succeeded', late: [{ kind: 'result' }] });
    expect({ ...late, late: [] }).toEqual(settled);
    expect(late.late[0]?.by).toContain(first);
    expect(probe.countOf('F28')).toBe(1);
    expect(await stack.waitReady(first)).toBe('ready');
  });

  it('F28: a secret in arguments is in no log, no list of approvals, no audit output and no validation error', async () => {
    const { client, model, probe, stack } = world;
    const secret = 'test-secret-123';
    const headers = { Authorization: `Bearer ${secret}` };
    const desk = new Client(stack.addresses.approvals ?? '');
    const args = { url: 'https://x.test', headers };
    model.says(
      { calls: [call('probe_fetch', args, 'c1'), call('probe_fetch', { ...args, timeout: secret }, 'c2')] },
      { text: 'done' },
    );
    const sessionId = await client.openSession();
    const turnId = await client.startTurn(sessionId, 'go');
    const listed = await eventually('a person is asked', async () => {
      const { text } = await desk.send('GET', '/v1/approvals?status=pending');
      const { items } = approvalListSchema.parse(JSON.parse(text));
      return items.some((item) => item.deadline !== undefined) ? text : undefined;
    });
    const { items } = approvalListSchema.parse(JSON.parse(listed));
    const [approval] = items;
    expect(approval).toMatchObject({ args: { url: args.url, headers: { Authorization: '[masked]' } } });
    expect(approval?.preview).toContain('[masked]');
    const waiting = await audit(['approvals']);
    const decision = { decision: 'grant', argsDigest: approval?.argsDigest };
    const decided = await desk.send('POST', `/v1/approvals/${approval?.callId ?? ''}/decision`, decision);
    expect(decided.status).toBe(200);
    expect((await client.ended(sessionId, turnId)).status).toBe('completed');
    expect(probe.countOf('fetched')).toBe(1);
    const [ran, refused] = await client.calls(sessionId);
    expect(ran).toMatchObject({ outcome: 'succeeded', args });
    expect(refused).toMatchObject({ outcome: 'refused', code: 'invalid_arguments' });
    const told = JSON.stringify(refused?.content);
    expect(told).toContain('/timeout must be integer');
    const ofCommand = [
      waiting,
      await audit(['audit', 'verify']),
      await audit(['audit', 'replay', sessionId]),
      await audit(['audit', 'explain', ran?.callId ?? '']),
      await audit(['audit', 'explain', refused?.callId ?? '']),
    ];
    const logs = stack.processes.flatMap(({ name }) => stack.output(name));
    expect(logs.length).toBeGreaterThan(10);
    for (const output of [...logs, ...ofCommand, listed, decided.text, told])
      expect(output).not.toContain(secret);
  });

  /** What the command prints for people and for programs, refusals included. */
  async function audit(line: readonly string[]): Promise<string> {
    const printed = await Promise.all([[], ['--json']].map((more) => run([...line, ...more])));
    return printed.join('\n');
  }
  function run(line: readonly string[]): Promise<string> {
    const args = [command, '--eventstore', world.stack.addresses.eventstore, ...line];
    return new Promise((done, fail) => {
      execFile(process.execPath, args, (error, stdout, stderr) =>
        error === null ? done(stdout + stderr) : fail(error),
      );
    });
  }
});
