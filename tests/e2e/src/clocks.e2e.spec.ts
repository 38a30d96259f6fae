import { approvalListSchema, type Approval } from '@writ/contracts';
import { resolve } from 'node:path';
import { audited, call, Client, eventually, Scene, startWorld, WallClocks, type World } from './world';

jest.setTimeout(120_000);

const orchestrators = ['turn-orchestrator-1', 'turn-orchestrator-2'] as const;
const executors = ['tool-executor-1', 'tool-executor-2'] as const;
const desk = 'approval-service-1';
const services = [...orchestrators, ...executors, desk] as const;

const hour = 3_600;
const skews = [
  ['an hour ahead', hour],
  ['an hour behind', -hour],
] as const;
const ends = ['killed', 'frozen'] as const;
/** A few times to live of a lease, milliseconds: whoever waits by a wall clock that is an hour off comes much later, or at once. */
const boundMs = 25_000;

/** Wall clocks that are wrong, and wall clocks that are set while something runs (protocol 7). */
describe('a wall clock that is an hour off', () => {
  let world: World;
  let scene: Scene;
  let clocks: WallClocks;
  let other: Client;
  let approvals: Client;
  beforeAll(async () => {
    clocks = new WallClocks(services);
    world = await startWorld({
      orchestrators: 2,
      executors: 2,
      config: resolve(__dirname, '..', 'fixtures', 'clocks.config.yaml'),
      env: { WRIT_UNCLAIMED_MS: '20000' },
      envOf: clocks.envOf,
    });
    scene = new Scene(world);
    const { hostname, port } = new URL(world.stack.addresses.orchestrator ?? '');
    other = new Client(`http://${hostname}:${Number(port) + 10}`);
    approvals = new Client(world.stack.addresses.approvals ?? '');
  });
  afterAll(async () => {
    await world?.close();
    clocks?.close();
  });
  afterEach(() => clocks.right());
  afterEach(() => scene.restore(...services));
  afterEach(async () => expect((await audited(world.stack.addresses.eventstore)).findings).toEqual([]));

  const pids = () => world.stack.processes.map(({ name, pid }) => `${name} ${pid}`);
  const end = async (how: (typeof ends)[number], name: string) =>
    how === 'killed' ? world.stack.kill(name) : world.stack.signal(name, 'SIGSTOP');

  /** A turn of one call that stays in its tool after its effect; `name` is what the effect is counted by. */
  async function holding(name: string, tool = 'probe_write') {
    const { client, model, probe } = world;
    model.says({ calls: [call(tool, { k: name, hold: 'then' })] }, { text: 'done' });
    const sessionId = await client.openSession();
    const turnId = await client.startTurn(sessionId, name);
    await eventually('the effect', () => probe.countOf(name) === 1);
    const [{ callId } = { callId: '' }] = await client.calls(sessionId);
    const holder = executors.find((each) => scene.logged(each, 'tool_started', callId));
    if (holder === undefined) throw new Error('no executor has started the tool');
    return { sessionId, turnId, holder, heir: executors.find((each) => each !== holder) ?? '' };
  }

  it.each(skews)(
    'an executor %s: a call longer than the grace runs once, its turn completes, and its own times are on record',
    async (_how, seconds) => {
      const { client, model, probe } = world;
      for (const name of executors) clocks.set(name, seconds);
      const k = `skewed ${seconds}`;
      // WRIT_COMMIT_GRACE_MS is 1500 here: by the deadline on record the result would be lost before the tool ends.
      model.says({ calls: [call('probe_write', { k, ms: 2_500 })] }, { text: 'done' });
      const sessionId = await client.openSession();
      const turn = await client.runTurn(sessionId, k);
      expect(turn).toMatchObject({ status: 'completed', finalText: 'done', openCalls: [] });
      const [settled] = await client.calls(sessionId);
      expect(settled).toMatchObject({ outcome: 'succeeded', effect: 'applied', epochs: [0] });
      const { stagedAt = '', startedAt = '' } = settled ?? {};
      const aheadSeconds = (Date.parse(startedAt) - Date.parse(stagedAt)) / 1_000;
      expect(Math.abs(aheadSeconds - seconds)).toBeLessThan(hour / 2);
      expect(probe.countOf(k)).toBe(1);
    },
  );

  it.each(skews.flatMap(([how, seconds]) => ends.map((lost) => [how, lost, seconds] as const)))(
    'an executor %s that is %s in the middle of a call is replaced within the same bound, its effect found and not repeated',
    async (_how, lost, seconds) => {
      const { client, probe } = world;
      for (const name of executors) clocks.set(name, seconds);
      const k = `${lost} ${seconds}`;
      const { sessionId, turnId, holder, heir } = await holding(k);
      clocks.set(heir, 0);
      await end(lost, holder);
      expect((await client.ended(sessionId, turnId, boundMs)).status).toBe('completed');
      expect((await client.calls(sessionId))[0]).toMatchObject({
        outcome: 'succeeded',
        effect: 'applied',
        readback: { effect: 'applied' },
        epochs: [0, 1],
      });
      probe.release();
      expect(probe.countOf(k)).toBe(1);
    },
  );

  it.each(skews)(
    'set to %s and back in every service while a call runs: no lease is lost, nobody exits, nothing runs twice',
    async (_how, seconds) => {
      const { client, probe, stack } = world;
      const before = pids();
      const lost = () => services.flatMap((name) => scene.linesOf(name, 'lease_lost')).length;
      const lostBefore = lost();
      const k = `stepped ${seconds}`;
      const { sessionId, turnId } = await holding(k, 'probe_once');
      for (const to of [seconds, 0, -seconds]) {
        for (const name of services) clocks.set(name, to);
        // Several renewals and polls under each time.
        await new Promise((done) => setTimeout(done, 1_500));
      }
      for (const name of services) expect(await stack.waitReady(name)).toBe('ready');
      expect((await client.turn(sessionId, turnId)).status).toBe('running');
      probe.release();
      expect(await client.ended(sessionId, turnId, boundMs)).toMatchObject({ status: 'completed' });
      expect((await client.calls(sessionId))[0]).toMatchObject({ outcome: 'succeeded', epochs: [0] });
      expect(probe.countOf(k)).toBe(1);
      expect(lost()).toBe(lostBefore);
      expect(pids()).toEqual(before);
    },
  );

  it.each(skews.flatMap(([how, seconds]) => ends.map((lost) => [how, lost, seconds] as const)))(
    'an owner %s that is %s in the middle of its turn is replaced by one whose clock is right',
    async (_how, lost, seconds) => {
      const { probe } = world;
      clocks.set(orchestrators[0], seconds);
      const k = `owner ${lost} ${seconds}`;
      const { sessionId, turnId } = await holding(k);
      await end(lost, orchestrators[0]);
      probe.release();
      const turn = await other.ended(sessionId, turnId, boundMs);
      expect(turn).toMatchObject({ status: 'completed', finalText: 'done' });
      expect(probe.countOf(k)).toBe(1);
    },
  );

  it('an owner whose clock is set past the time of its turn ends it as used up, and the call that ran is settled by what it did', async () => {
    const { client, probe } = world;
    const { sessionId, turnId } = await holding('late', 'probe_write');
    clocks.set(orchestrators[0], 4 * hour);
    const turn = await client.ended(sessionId, turnId, boundMs);
    expect(turn).toMatchObject({ status: 'failed', failure: { code: 'budget_exhausted' }, openCalls: [] });
    expect((await client.calls(sessionId))[0]).toMatchObject({ outcome: 'timed_out', effect: 'applied' });
    expect(probe.countOf('late')).toBe(1);
  });

  describe('of the service that asks people', () => {
    const waiting = (sessionId: string): Promise<Approval> =>
      eventually('a person is asked', async () => {
        const { text } = await approvals.send('GET', '/v1/approvals?status=pending');
        const { items } = approvalListSchema.parse(JSON.parse(text));
        return items.find((item) => item.sessionId === sessionId && item.deadline !== undefined);
      });
    async function asking(k: string) {
      const { client, model } = world;
      model.says({ calls: [call('probe_ask', { k })] }, { text: 'done' });
      const sessionId = await client.openSession();
      const turnId = await client.startTurn(sessionId, k);
      return { sessionId, turnId, approval: await waiting(sessionId) };
    }
    const grant = ({ callId, argsDigest }: Approval) =>
      approvals.send('POST', `/v1/approvals/${callId}/decision`, { decision: 'grant', argsDigest });

    it.each(skews)(
      '%s from the start: a grant counts, by the clock that set the deadline',
      async (...given) => {
        const [how, seconds] = given;
        const { client, probe } = world;
        clocks.set(desk, seconds);
        const { sessionId, turnId, approval } = await asking(how);
        expect((await grant(approval)).status).toBe(200);
        expect((await client.ended(sessionId, turnId, boundMs)).status).toBe('completed');
        expect(probe.countOf(how)).toBe(1);
      },
    );

    it('set back while a person is asked: the question stays open, and a grant counts', async () => {
      const { client, probe } = world;
      const { sessionId, turnId, approval } = await asking('back');
      clocks.set(desk, -hour);
      expect((await grant(approval)).status).toBe(200);
      expect((await client.ended(sessionId, turnId, boundMs)).status).toBe('completed');
      expect(probe.countOf('back')).toBe(1);
    });

    it('set past the deadline while a person is asked: a grant comes too late, and the call never runs', async () => {
      const { client, probe } = world;
      const { sessionId, turnId, approval } = await asking('past');
      clocks.set(desk, hour);
      expect((await grant(approval)).status).toBe(410);
      expect((await client.ended(sessionId, turnId, boundMs)).status).toBe('completed');
      expect((await client.calls(sessionId))[0]).toMatchObject({
        outcome: 'expired',
        effect: 'none',
        epochs: [],
      });
      expect(probe.countOf('past')).toBe(0);
    });
  });
});
