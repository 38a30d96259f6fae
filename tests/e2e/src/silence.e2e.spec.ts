import type { Fault } from '@writ/stack';
import {
  audited,
  call,
  eventually,
  patient,
  placeOf,
  Scene,
  SilentLink,
  startWorld,
  type Reply,
  type World,
} from './world';

jest.setTimeout(120_000);

const services = ['turn-orchestrator-1', 'tool-executor-1', 'approval-service-1'] as const;
/** Until the last subscription must have noticed, and everything that waited for it is done. Milliseconds. */
const boundMs = 60_000;

/** A store that says nothing any more and does not hang up: polls and the watch over silence move turns on (protocol 2). */
describe('a store that falls silent under running turns', () => {
  let world: World;
  let scene: Scene;
  let link: SilentLink;
  beforeAll(async () => {
    world = await startWorld({ env: { ...patient, WRIT_UNCLAIMED_MS: '60000' } });
    scene = new Scene(world);
    const { eventstore } = world.stack.addresses;
    link = await SilentLink.to(eventstore);
    const url = `esdb://127.0.0.1:${link.port}?tls=false`;
    for (const name of services) await world.stack.kill(name);
    await Promise.all(services.map((name) => world.stack.launch(name, { WRIT_EVENTSTORE_URL: url })));
    for (const name of services) expect(await world.stack.waitReady(name)).toBe('ready');
  });
  afterAll(async () => {
    await world?.close();
    await link?.close();
  });
  afterEach(() => scene.restore());
  afterEach(async () => expect((await audited(world.stack.addresses.eventstore)).findings).toEqual([]));

  /** Two calls side by side, one alone, the answer. */
  const threeSteps = (messages: readonly unknown[]): Reply => {
    const { input, replies } = placeOf(messages);
    const write = (name: string, ms: number) => call('probe_write', { k: `${input}/${name}`, ms });
    if (replies === 0) return { calls: [write('a', 600), write('b', 100)] };
    return replies === 1 ? { calls: [write('c', 200)] } : { text: `done ${input}` };
  };
  const effectsOf = (input: string) => ['a', 'b', 'c'].map((name) => world.probe.countOf(`${input}/${name}`));
  async function startTurns(name: string) {
    const { client, model } = world;
    model.otherwise(threeSteps);
    return Promise.all(
      Array.from({ length: 6 }, async (_, index) => {
        const input = `${name}-${index}`;
        const sessionId = await client.openSession();
        return { input, sessionId, turnId: await client.startTurn(sessionId, input) };
      }),
    );
  }
  type Started = Awaited<ReturnType<typeof startTurns>>;
  const someEffects = (turns: Started) =>
    eventually('the first effects', () => turns.some(({ input }) => effectsOf(input).includes(1)));
  async function allComplete(turns: Started) {
    for (const { input, sessionId, turnId } of turns) {
      const turn = await world.client.ended(sessionId, turnId, boundMs);
      expect(turn).toMatchObject({ status: 'completed', finalText: `done ${input}`, openCalls: [] });
      expect(effectsOf(input)).toEqual([1, 1, 1]);
    }
  }
  const pids = () => world.stack.processes.map(({ name, pid }) => `${name} ${pid}`);

  it('on every connection of one moment: new ones are made, turns complete, every effect once', async () => {
    const before = pids();
    const turns = await startTurns('silent');
    await someEffects(turns);
    expect(link.silence()).toBeGreaterThanOrEqual(2 * services.length);
    await allComplete(turns);
    await allComplete(await startTurns('afterwards'));
    expect(pids()).toEqual(before);
  });

  it('and whose subscriptions never begin again: notices and the poll move turns on', async () => {
    await world.stack.faults.arm({ on: 'subscribe', do: 'hold' });
    const turns = await startTurns('deaf');
    await someEffects(turns);
    link.silence();
    await allComplete(turns);
    await scene.faultHit();
    await allComplete(await startTurns('still-deaf'));
    await world.stack.faults.heal();
    await allComplete(await startTurns('heard-again'));
  });

  it('on some reads: they are given up and asked again', async () => {
    const held: readonly Fault[] = [
      { on: 'read', stream: 'toolcall-', do: 'hold', times: 4 },
      { on: 'read', stream: 'session-', do: 'hold', times: 4 },
    ];
    const turns = await startTurns('unread');
    for (const fault of held) await world.stack.faults.arm(fault);
    await allComplete(turns);
    await scene.faultHit();
  });
});
