import { rmSync } from 'node:fs';
import { join } from 'node:path';
import {
  audited,
  call,
  Client,
  eventually,
  patient,
  readinessAt,
  Scene,
  startWorld,
  type World,
} from './world';

jest.setTimeout(180_000);

const store = 'event-store';
const broker = 'nats-server';
const services = ['turn-orchestrator-1', 'tool-executor-1', 'approval-service-1'] as const;
type ServiceName = (typeof services)[number];

/** Services are deployed apart: each starts whenever it is started, says what it misses, and is ready once that is there. */
describe('the order in which processes start', () => {
  let world: World;
  let scene: Scene;
  beforeAll(async () => {
    world = await startWorld({ begins: 'none', env: patient });
    scene = new Scene(world);
  });
  afterAll(() => world.close());
  /** Nothing runs, and the store and the broker have never been; what services keep on disk is of another store. */
  afterEach(async () => {
    for (const { name } of world.stack.processes) await world.stack.kill(name);
    for (const folder of ['eventstore', 'nats'])
      rmSync(join(world.folder, 'data', folder), { recursive: true, force: true });
    world.model.forget();
  });

  const baseOf = (name: ServiceName): string => {
    const { orchestrator = '', executor = '', approvals = '' } = world.stack.addresses;
    return {
      'turn-orchestrator-1': orchestrator,
      'tool-executor-1': executor,
      'approval-service-1': approvals,
    }[name];
  };
  /** Alive, not ready, and naming exactly what is missing. */
  const misses = async (name: ServiceName, missing: readonly ('store' | 'broker')[]) => {
    await eventually(`${name} misses ${missing.join(' and ')}`, async () => {
      const ready = await readinessAt(baseOf(name));
      return (
        ready?.status === 503 &&
        (['store', 'broker'] as const).every(
          (check) => (ready.checks[check] !== 'ok') === missing.includes(check),
        )
      );
    });
    expect((await new Client(baseOf(name)).send('GET', '/livez')).status).toBe(200);
    expect(world.stack.isAlive(name)).toBe(true);
  };
  const isReady = async (...names: readonly ServiceName[]) => {
    for (const name of names) expect(await world.stack.waitReady(name)).toBe('ready');
    for (const name of names)
      expect((await readinessAt(baseOf(name)))?.checks).toEqual({ store: 'ok', broker: 'ok', lease: 'ok' });
  };
  const pids = () => world.stack.processes.filter(({ name }) => name !== store && name !== broker);
  /** Every part does its work: a turn with an effect, on record, and the record is clean. */
  const works = async (k: string) => {
    const { client, model, probe, stack } = world;
    model.says({ calls: [call('probe_write', { k })] }, { text: 'done' });
    const sessionId = await client.openSession();
    expect(await client.runTurn(sessionId, 'go')).toMatchObject({ status: 'completed', finalText: 'done' });
    expect(probe.countOf(k)).toBe(1);
    expect((await audited(stack.addresses.eventstore)).findings).toEqual([]);
  };

  it.each(services)('%s alone and first, then the broker, then the store', async (first) => {
    const { stack } = world;
    await stack.launch(first);
    await misses(first, ['store', 'broker']);
    await scene.revive(broker);
    await misses(first, ['store']);
    await scene.revive(store);
    await isReady(first);
  });

  it.each(services)('%s alone and first, then the store, then the broker', async (first) => {
    const { stack } = world;
    await stack.launch(first);
    await misses(first, ['store', 'broker']);
    await scene.revive(store);
    await misses(first, ['broker']);
    await scene.revive(broker);
    await isReady(first);
  });

  it.each([
    ['the store last', [broker, store]],
    ['the broker last', [store, broker]],
  ])('all services before anything that they need, %s', async (_which, order) => {
    const { stack } = world;
    for (const name of [...services].reverse()) await stack.launch(name);
    for (const name of services) await misses(name, ['store', 'broker']);
    const before = pids();
    const [first, last] = order;
    await scene.revive(first ?? '');
    for (const name of services) await misses(name, [first === store ? 'broker' : 'store']);
    await scene.revive(last ?? '');
    await isReady(...services);
    expect(pids()).toEqual(before);
    await works(`last-${last}`);
  });

  it('an orchestrator that was there before any executor takes the tools up when one comes', async () => {
    const { client, stack } = world;
    await scene.revive(broker, store, 'turn-orchestrator-1');
    const sessionId = await client.openSession();
    const tools = async () =>
      (JSON.parse((await client.send('GET', `/v1/sessions/${sessionId}/tools`)).text) as { tools: unknown[] })
        .tools;
    expect(await tools()).toEqual([]);
    await stack.launch('tool-executor-1');
    await eventually('the tools are known', async () => (await tools()).length > 0);
    await works('tools-later');
  });
});
