import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { approvalListSchema } from '@writ/contracts';
import { audited, call, Client, eventually, isAlive, Scene, startWorld, type World } from './world';

jest.setTimeout(120_000);

interface Held {
  readonly k: string;
  readonly sessionId: string;
  readonly turnId: string;
  readonly callId: string;
  readonly first: string;
  readonly base: string;
}
/** Longer than the lease, and than any patience within the executor. Milliseconds. */
const spinsForMs = 10_000;
const pause = (ms: number) => new Promise((wait) => setTimeout(wait, ms));
const executors = ['tool-executor-1', 'tool-executor-2'] as const;
const fixture = resolve(__dirname, '..', 'fixtures', 'spin.cjs');
const command = resolve(__dirname, '..', '..', '..', 'apps', 'writ', 'dist', 'main.js');

/** How two held one call, and how a secret got out with every new view of it, tried here (F28). */
describe('the field reports: holders that are not dead, and secrets', () => {
  let world: World;
  let scene: Scene;
  const folder = mkdtempSync(join(tmpdir(), 'writ-spin-'));
  const spinUntil = join(folder, 'enough');
  beforeAll(async () => {
    const spinning = { NODE_OPTIONS: `--require ${fixture}`, SPIN_UNTIL: spinUntil };
    const envOf = Object.fromEntries(executors.map((name) => [name, spinning]));
    world = await startWorld({ executors: 2, env: { WRIT_LOG_LEVEL: 'debug' }, envOf });
    scene = new Scene(world);
  });
  afterAll(() => world.close());
  afterAll(() => rmSync(folder, { recursive: true }));
  afterEach(() => writeFileSync(spinUntil, ''));
  afterEach(() => scene.restore('turn-orchestrator-1', ...executors));
  afterEach(async () => expect((await audited(world.stack.addresses.eventstore)).findings).toEqual([]));

  /** One call is under way, its effect done; which executor holds it. */
  const heldCall = async (k: string) => {
    const { client, model, probe } = world;
    model.says({ calls: [call('probe_write', { k, hold: 'then' })] }, { text: 'done' });
    const sessionId = await client.openSession();
    const turnId = await client.startTurn(sessionId, 'go');
    await eventually('the effect', () => probe.countOf(k) === 1);
    const [{ callId } = { callId: '' }] = await client.calls(sessionId);
    const first = executors.find((name) => scene.logged(name, 'tool_started', callId));
    if (first === undefined) throw new Error('no executor has started the tool');
    return { k, sessionId, turnId, callId, first, base: baseOf(first) };
  };
  const baseOf = (name: string) => {
    const { hostname, port } = new URL(world.stack.addresses.executor ?? '');
    return `http://${hostname}:${Number(port) + 10 * executors.findIndex((each) => each === name)}`;
  };
  /** The turn goes on by the other executor, which has found the effect instead of repeating it. */
  const isSuperseded = async ({ sessionId, turnId, callId, first }: Held) => {
    const { client } = world;
    expect(await client.ended(sessionId, turnId)).toMatchObject({ status: 'completed', finalText: 'done' });
    const [settled] = await client.calls(sessionId);
    expect(settled).toMatchObject({
      outcome: 'succeeded',
      effect: 'applied',
      readback: { effect: 'applied' },
      epochs: [0, 1],
      late: [],
    });
    const other = executors.find((name) => name !== first) ?? '';
    expect(scene.logged(other, 'call_taken_over', callId)).toBe(true);
    return settled;
  };
  /** What the first one says once it can speak again changes nothing but the evidence. */
  const isKeptAsEvidence = async ({ k, sessionId, first }: Held, settled: unknown) => {
    const late = await eventually('its result is kept as evidence', async () => {
      const [now] = await world.client.calls(sessionId);
      return now?.late.length === 1 ? now : undefined;
    });
    expect(late).toMatchObject({ outcome: 'succeeded', late: [{ kind: 'result' }] });
    expect({ ...late, late: [] }).toEqual(settled);
    expect(late.late[0]?.by).toContain(first);
    expect(world.probe.countOf(k)).toBe(1);
    expect(await world.stack.waitReady(first)).toBe('ready');
  };

  it('F28: a holder that is frozen past its lease is superseded, and what it says later is evidence and no result', async () => {
    const { probe, stack } = world;
    const held = await heldCall('F28-frozen');
    stack.signal(held.first, 'SIGSTOP');
    // Its tool goes on while it hears nothing: the result waits for it when it wakes.
    probe.release();
    const settled = await isSuperseded(held);
    stack.signal(held.first, 'SIGCONT');
    await isKeptAsEvidence(held, settled);
  });

  it.each([
    ['finishes meanwhile: its result is refused and kept as evidence', 'F28-finishes', true],
    [
      'does not finish: it is stopped without a word from its executor, which has nothing to say',
      'F28-on',
      false,
    ],
  ])(
    'F28: a holder whose event loop spins for ten seconds under a lease of three is superseded at once; its tool that %s',
    async (...given) => {
      const [, k, finishes] = given;
      const { client, probe, stack } = world;
      const held = await heldCall(k);
      const { first, base, callId, sessionId } = held;
      rmSync(spinUntil, { force: true });
      stack.signal(first, 'SIGUSR2');
      await eventually('it spins', () => stack.output(first).at(-1) === 'it spins');
      const spinsSince = Date.now();
      if (finishes) probe.release();
      const settled = await isSuperseded(held);
      // It is no less alive for that: another holds its call, and it does not know.
      expect(await isAlive(base)).toBe(false);
      expect(stack.isAlive(first)).toBe(true);
      await pause(Math.max(0, spinsSince + spinsForMs - Date.now()));
      writeFileSync(spinUntil, '');
      if (finishes) return isKeptAsEvidence(held, settled);
      await eventually('it leaves the call', () => scene.logged(first, 'call_left_to_heirs', callId));
      expect(scene.linesOf(first, 'tool_host_watchdog_expired').length).toBeGreaterThan(0);
      expect(await stack.waitReady(first)).toBe('ready');
      expect(await client.calls(sessionId)).toEqual([settled]);
      expect(probe.countOf(k)).toBe(1);
    },
  );

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
