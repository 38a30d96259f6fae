import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import {
  approvalListSchema,
  openSessionResponseSchema,
  startTurnResponseSchema,
  type Approval,
} from '@writ/contracts';
import type { Fault } from '@writ/stack';
import {
  audited,
  call,
  Client,
  eventually,
  placeOf,
  Scene,
  startWorld,
  type Reply,
  type World,
} from './world';

jest.setTimeout(120_000);

const orchestrator = 'turn-orchestrator-1';
const executors = ['tool-executor-1', 'tool-executor-2', 'tool-executor-3'] as const;

/** One try of an append, as the services of this file have it. Milliseconds. */
const appendTimeoutMs = 700;
const env = {
  WRIT_APPEND_TIMEOUT_MS: String(appendTimeoutMs),
  WRIT_APPEND_RESOLVE_MS: '8000',
  WRIT_COMMIT_GRACE_MS: '8000',
  WRIT_UNCLAIMED_MS: '30000',
};

/** What a store does to one append. What it holds is let go once its client has long given up. */
const faults: readonly (readonly [string, Pick<Fault, 'do' | 'ms' | 'times'>])[] = [
  ['is not ready, twice', { do: 'fail_unavailable', times: 2 }],
  ['stores and never answers', { do: 'store_then_drop_ack', times: 1 }],
  ['stores and answers that another was first', { do: 'store_then_wrong_version', times: 1 }],
  ['stores and answers too late', { do: 'delay', ms: 3 * appendTimeoutMs, times: 1 }],
  ['closes the connection', { do: 'disconnect', times: 1 }],
  ['hangs, and stores it later', { do: 'hold', times: 1 }],
];

/** Deaths and starts take their time: a part of the table where nobody asks for all of it (docs/TESTING.md). */
const quickRows: readonly string[] = ['store_then_drop_ack', 'store_then_wrong_version', 'hold'];
const ofTakeoverRows =
  process.env['ALL_FAULTS'] === '1' ? faults : faults.filter(([, fault]) => quickRows.includes(fault.do));

type Kind = Pick<Fault, 'eventType' | 'stream'>;
/** Every kind of append that turns need: who answers what to it is the same code, who writes it is not. */
const ofTurns: readonly Kind[] = [
  { eventType: 'SessionOpened' },
  { eventType: 'TurnStarted' },
  { eventType: 'ToolCallStaged' },
  { eventType: 'ApprovalRequested' },
  { eventType: 'ApprovalGranted' },
  { eventType: 'ApprovalDenied' },
  { eventType: 'ToolExecutionStarted' },
  { eventType: 'ToolResultCommitted', stream: 'toolcall-' },
  { eventType: 'LeaseRenewed', stream: 'lease-tool-executor' },
  { eventType: 'LeaseRenewed', stream: 'lease-turn-orchestrator' },
  { eventType: 'TurnCompleted' },
];
/** And those of a service that dies and of whoever goes on in its place. */
const ofTakeovers: readonly Kind[] = [
  { eventType: 'LeaseEnded', stream: 'lease-tool-executor' },
  { eventType: 'LeaseEnded', stream: 'lease-turn-orchestrator' },
  { eventType: 'InstanceStarted', stream: 'instance-turn-orchestrator' },
  { eventType: 'SessionLeaseAcquired' },
  { eventType: 'ToolExecutionTakenOver' },
  { eventType: 'ReadbackRecorded' },
];
const ofStarts: readonly Kind[] = [
  { eventType: 'InstanceStarted', stream: 'instance-tool-executor' },
  { eventType: 'ToolManifestPublished' },
];

/** Each kind of append meets each fault of the store once: turns end as if nothing had been, and every effect is there once. */
describe('a store that, of one append of each kind,', () => {
  let world: World;
  let scene: Scene;
  let desk: Client;
  beforeAll(async () => {
    const config = resolve(__dirname, '..', 'fixtures', 'clocks.config.yaml');
    world = await startWorld({ executors: 3, config, env });
    scene = new Scene(world);
    desk = new Client(world.stack.addresses.approvals ?? '');
  });
  afterAll(() => world?.close());
  afterEach(() => scene.restore(orchestrator, ...executors));
  afterEach(async () => expect((await audited(world.stack.addresses.eventstore)).findings).toEqual([]));

  async function arm(kinds: readonly Kind[], fault: Pick<Fault, 'do' | 'ms' | 'times'>) {
    const armed = new Map<string, Kind>();
    for (const kind of kinds)
      armed.set(await world.stack.faults.arm({ on: 'append', ...kind, ...fault }), kind);
    return armed;
  }
  /** Waits until every one has acted, and lets go what one that holds has kept for longer than its client waits. */
  async function allActed(armed: ReadonlyMap<string, Kind>) {
    const idle = async () => {
      const hits = await world.stack.faults.hits();
      return [...armed].filter(([id]) => (hits.get(id) ?? 0) === 0).map(([, kind]) => kind);
    };
    await eventually('each fault acts', async () => (await idle()).length === 0).catch(async () =>
      expect(await idle()).toEqual([]),
    );
    await new Promise((done) => setTimeout(done, 2 * appendTimeoutMs));
    await world.stack.faults.heal();
  }

  const steps = (messages: readonly unknown[]): Reply => {
    const { input, replies } = placeOf(messages);
    if (replies > 0) return { text: `done ${input}` };
    const tool = input.startsWith('plain') ? 'probe_once' : 'probe_ask';
    return { calls: [call(tool, { k: input, ms: 300 })] };
  };

  it.each(faults)('%s: plain turns, granted and denied ones', async (how, fault) => {
    const { client, model, probe } = world;
    model.otherwise(steps);
    const armed = await arm(ofTurns, fault);
    const inputs = ['plain', 'granted', 'denied'].flatMap((what) => [`${what} 1 ${how}`, `${what} 2 ${how}`]);
    const turns = await Promise.all(
      inputs.map(async (input) => {
        const { sessionId } = openSessionResponseSchema.parse(await posted('/v1/sessions', {}));
        const { turnId } = startTurnResponseSchema.parse(
          await posted(`/v1/sessions/${sessionId}/turns`, { input }, { 'idempotency-key': sessionId }),
        );
        return { input, sessionId, turnId };
      }),
    );
    const acting = allActed(armed);
    await Promise.all(turns.filter(({ input }) => !input.startsWith('plain')).map(decide));
    for (const { input, sessionId, turnId } of turns) {
      const turn = await client.ended(sessionId, turnId);
      expect(turn).toMatchObject({ status: 'completed', finalText: `done ${input}`, openCalls: [] });
      const denied = input.startsWith('denied');
      expect(await client.calls(sessionId)).toMatchObject([
        { outcome: denied ? 'denied' : 'succeeded', effect: denied ? 'none' : 'applied' },
      ]);
      expect(probe.countOf(input)).toBe(denied ? 0 : 1);
    }
    await acting;
  });

  /** As a program does it that was told to come again: the key makes it the same turn. */
  const posted = (path: string, body: object, headers?: Record<string, string>): Promise<unknown> =>
    eventually(`${path} is taken`, async () => {
      const { status, text } = await world.client.send('POST', path, body, headers);
      if (![201, 202, 503].includes(status)) throw new Error(`${path} answered ${status}: ${text}`);
      return status === 503 ? undefined : (JSON.parse(text) as unknown);
    });
  /** As a person's browser does it: asked again while it is not known whether the answer is on record. */
  async function decide({ input, sessionId }: { readonly input: string; readonly sessionId: string }) {
    const decision = input.startsWith('granted') ? 'grant' : 'deny';
    const { callId, argsDigest } = await eventually('a person is asked', () => pending(sessionId));
    await eventually('the answer is on record', async () => {
      const { status } = await desk.send('POST', `/v1/approvals/${callId}/decision`, {
        decision,
        argsDigest,
      });
      if (status !== 503) expect(status).toBe(200);
      return status === 200;
    });
  }
  async function pending(sessionId: string): Promise<Approval | undefined> {
    const { text } = await desk.send('GET', '/v1/approvals?status=pending');
    const { items } = approvalListSchema.parse(JSON.parse(text));
    return items.find((item) => item.sessionId === sessionId && item.deadline !== undefined);
  }

  it.each(ofTakeoverRows)(
    '%s: executor and owner die in the middle of a call and are replaced, and a new one joins',
    async (how, fault) => {
      const { client, model, probe, stack } = world;
      const [, , newcomer] = executors;
      await stack.kill(newcomer);
      const k = `lost ${how}`;
      model.says({ calls: [call('probe_write', { k, hold: 'then' })] }, { text: 'done' });
      const sessionId = await client.openSession();
      const turnId = await client.startTurn(sessionId, k);
      await eventually('the effect', () => probe.countOf(k) === 1);
      const [{ callId } = { callId: '' }] = await client.calls(sessionId);
      const holder = executors.find((name) => scene.logged(name, 'tool_started', callId)) ?? '';
      const acting = allActed(await arm([...ofTakeovers, ...ofStarts], fault));
      await Promise.all([stack.kill(holder), stack.kill(orchestrator)]);
      // Its pool is another one each time, and with it its catalogue.
      await Promise.all([
        stack.launch(orchestrator),
        stack.launch(newcomer, { WRIT_TOOLS: otherPool(world.folder, how) }),
      ]);
      expect(await client.ended(sessionId, turnId)).toMatchObject({ status: 'completed', finalText: 'done' });
      expect((await client.calls(sessionId))[0]).toMatchObject({
        outcome: 'succeeded',
        effect: 'applied',
        readback: { effect: 'applied' },
        epochs: [0, 1],
      });
      expect(probe.countOf(k)).toBe(1);
      expect(await stack.waitReady(newcomer)).toBe('ready');
      await acting;
      await stack.kill(newcomer);
    },
  );
});

/** A pool with one tool of its own: what it publishes was never published before. */
function otherPool(folder: string, how: string): string {
  const pool = how.replaceAll(/[^a-z]+/g, '-').slice(0, 32);
  const name = `only_in_${pool.replaceAll('-', '_')}`;
  const tool = { name, description: name, input: { type: 'object' }, effect: 'read' };
  writeFileSync(
    join(folder, `${pool}.mjs`),
    `export const tool = { ...${JSON.stringify(tool)}, run() {} };\n`,
  );
  const file = join(folder, `${pool}.tools.yaml`);
  writeFileSync(file, `pool: ${pool}\nslots: 1\nmodules: [./${pool}.mjs]\n`);
  return file;
}
