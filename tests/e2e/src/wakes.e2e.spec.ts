import {
  audited,
  call,
  Meddler,
  metricAt,
  patient,
  placeOf,
  startWorld,
  type Reply,
  type World,
} from './world';

jest.setTimeout(120_000);

const turnsAtOnce = 20;
/** The longest that a turn takes whose wakes are lost and late afterwards. Milliseconds. */
const boundMs = 60_000;

/** R16: a lost, doubled, delayed or reordered message costs time, never a second effect. */
describe('wakes that somebody at the broker takes away, holds back, doubles and sends in another order', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld({ executors: 2, env: { ...patient, WRIT_UNCLAIMED_MS: '60000' } });
  });
  afterAll(() => world?.close());

  const twoSteps = (messages: readonly unknown[]): Reply => {
    const { input, replies } = placeOf(messages);
    const once = (name: string) => call('probe_once', { k: `${input}/${name}`, ms: 50 });
    if (replies === 0) return { calls: [once('a'), once('b')] };
    return replies === 1 ? { calls: [once('c')] } : { text: `done ${input}` };
  };

  it('twenty turns complete, every irreversible effect once, and long afterwards still once', async () => {
    const { client, model, probe, stack } = world;
    model.otherwise(twoSteps);
    const meddler = await Meddler.at(stack.addresses.nats);
    const turns = await Promise.all(
      Array.from({ length: turnsAtOnce }, async (_, index) => {
        const input = `turn-${index}`;
        const sessionId = await client.openSession();
        return { input, sessionId, turnId: await client.startTurn(sessionId, input) };
      }),
    );
    const effects = () =>
      turns.map(({ input }) => ['a', 'b', 'c'].map((name) => probe.countOf(`${input}/${name}`)));
    for (const { input, sessionId, turnId } of turns)
      expect(await client.ended(sessionId, turnId, boundMs)).toMatchObject({
        status: 'completed',
        finalText: `done ${input}`,
        openCalls: [],
      });
    // Copies of settled calls go on coming.
    await new Promise((done) => setTimeout(done, 2_000));
    await meddler.stop();
    expect(effects()).toEqual(turns.map(() => [1, 1, 1]));
    for (const much of Object.values(meddler.did)) expect(much).toBeGreaterThan(turnsAtOnce / 2);
    expect(await metricAt(stack.addresses.executor ?? '', 'writ_bus', 'kind="delivered"')).toBeGreaterThan(0);
    expect((await audited(stack.addresses.eventstore)).findings).toEqual([]);
  });
});
