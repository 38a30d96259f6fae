import { commandsStreamName } from '@writ/contracts';
import { AckPolicy, DiscardPolicy, RetentionPolicy, StorageType } from 'nats';
import { COMMANDS_PER_SUBJECT, MAX_ACK_PENDING } from '../limits';
import { openNatsWorld, type NatsWorld } from '../testing';
import { POOL, startWorker, wakeOf } from '../testing/bus-world';

jest.setTimeout(60_000);

describe('what the bus makes of a NATS server', () => {
  let world: NatsWorld;
  beforeEach(async () => {
    world = await openNatsWorld();
  });
  afterEach(() => world.dispose());

  it('is a bounded work queue that never refuses a wake, and consumers that never give one up', async () => {
    const { connect, eventually, server } = world;
    const bus = connect();
    startWorker(bus);
    await eventually('connected', () => bus.connected());
    await server.visit(async (stranger) => {
      const jsm = await stranger.jetstreamManager();
      const { config: stream } = await jsm.streams.info(commandsStreamName);
      expect(stream).toMatchObject({
        retention: RetentionPolicy.Workqueue,
        storage: StorageType.File,
        discard: DiscardPolicy.Old,
        subjects: ['writ.execute.*', 'writ.approve'],
        max_msgs_per_subject: COMMANDS_PER_SUBJECT,
      });
      expect(stream.max_age).toBeGreaterThan(0);
      expect(stream.max_bytes).toBeGreaterThan(0);
      const { config: consumer } = await jsm.consumers.info(commandsStreamName, `execute-${POOL}`);
      expect(consumer).toMatchObject({
        ack_policy: AckPolicy.Explicit,
        max_deliver: -1,
        max_ack_pending: MAX_ACK_PENDING,
        filter_subject: `writ.execute.${POOL}`,
      });
    });
  });

  it('keeps the limits that an operator gave the stream, and repairs what must be ours', async () => {
    const { connect, eventually, server } = world;
    const operated = {
      name: commandsStreamName,
      subjects: ['writ.approve'],
      retention: RetentionPolicy.Workqueue,
      storage: StorageType.Memory,
      discard: DiscardPolicy.New,
      max_bytes: 1_000_000,
    };
    await server.visit(async (stranger) => (await stranger.jetstreamManager()).streams.add(operated));
    const bus = connect();
    await eventually('connected', () => bus.connected());
    const { config } = await server.visit(async (stranger) =>
      (await stranger.jetstreamManager()).streams.info(commandsStreamName),
    );
    expect(config).toMatchObject({
      subjects: ['writ.execute.*', 'writ.approve'],
      discard: DiscardPolicy.Old,
      storage: StorageType.Memory,
      max_bytes: 1_000_000,
    });
  });

  it('is not usable, and says why, where the stream is of another kind', async () => {
    const { connect, eventually, server, log } = world;
    const stranger = {
      name: commandsStreamName,
      subjects: ['writ.approve'],
      retention: RetentionPolicy.Limits,
    };
    await server.visit(async (connection) => (await connection.jetstreamManager()).streams.add(stranger));
    const bus = connect();
    await eventually('refused', () => log.lines.some(({ event }) => event === 'bus_stream_refused'));
    expect(bus.connected()).toBe(false);
    expect(log.lines.find(({ event }) => event === 'bus_stream_refused')?.fields).toMatchObject({
      error: 'commands_stream_is_no_work_queue',
    });
  });

  it('is made anew when somebody deletes it under a running bus', async () => {
    const { connect, eventually, server } = world;
    const bus = connect();
    const worker = startWorker(bus);
    await eventually('connected', () => bus.connected());
    await server.visit(async (stranger) =>
      (await stranger.jetstreamManager()).streams.delete(commandsStreamName),
    );
    await eventually('published and delivered', async () => {
      await bus.wakeExecutor(POOL, wakeOf('call-1'));
      return worker.seen.length > 0;
    });
    await eventually('connected', () => bus.connected());
  });

  it('is made anew for a bus that only publishes', async () => {
    const { connect, eventually, server } = world;
    const bus = connect();
    await eventually('connected', () => bus.connected());
    await server.visit(async (stranger) =>
      (await stranger.jetstreamManager()).streams.delete(commandsStreamName),
    );
    expect(await bus.wakeExecutor(POOL, wakeOf('call-1'))).toBe('unknown');
    expect(bus.connected()).toBe(false);
    await eventually(
      'published',
      async () => (await bus.wakeExecutor(POOL, wakeOf('call-1'))) === 'published',
    );
  });

  it('notices a frozen server though the bytes for it have filled every buffer', async () => {
    const { connect, eventually, server } = world;
    const bus = connect();
    await eventually('connected', () => bus.connected());
    server.signal('SIGSTOP');
    try {
      for (let n = 0; n < 150_000; n += 1) {
        bus.notice({ version: 1, sessionId: 's-1', callId: 'call-1', revision: n });
        if (n % 1_000 === 0) await world.pass(0);
      }
      await eventually('noticed', () => !bus.connected());
    } finally {
      server.signal('SIGCONT');
    }
    await eventually('connected again', () => bus.connected());
  });

  it('notices a frozen server, leaves no publish waiting, and goes on when it thaws', async () => {
    const { connect, eventually, server } = world;
    const bus = connect();
    const worker = startWorker(bus);
    await eventually('connected', () => bus.connected());
    server.signal('SIGSTOP');
    try {
      // The signal may overtake the first publishes, or not.
      await eventually('unknown', async () => (await bus.wakeExecutor(POOL, wakeOf('frozen'))) === 'unknown');
      await eventually('noticed', () => !bus.connected());
    } finally {
      server.signal('SIGCONT');
    }
    await eventually('connected again', () => bus.connected());
    expect(await bus.wakeExecutor(POOL, wakeOf('thawed'))).toBe('published');
    await eventually('delivered', () => worker.seen.includes('thawed'));
  });
});
