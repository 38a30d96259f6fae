import { NestFactory } from '@nestjs/core';
import type { INestMicroservice } from '@nestjs/common';
import type { MicroserviceOptions } from '@nestjs/microservices';
import { executeSubject, noticeSubject, type Wake } from '@writ/contracts';
import { connectBus, type ObservedBus } from '@writ/messaging';
import {
  realEntropy,
  recordLog,
  startNatsServer,
  timerClock,
  type NatsServer,
  type RecordedLog,
} from '@writ/messaging/testing';
import { ack, nak, WritTransport } from '.';
import { Desk, SampleModule, type Answer } from './testing/sample-app';

jest.setTimeout(60_000);

const POOL = 'default';
const PATIENCE_MS = 15_000;
const wakeOf = (callId: string): Wake => ({ version: 1, sessionId: 's-1', callId, stagedRevision: 2 });

interface Service {
  readonly app: INestMicroservice;
  readonly transport: WritTransport;
  readonly bus: ObservedBus;
  readonly desk: Desk;
}

describe('a Nest application on the bus', () => {
  let server: NatsServer;
  let log: RecordedLog;
  let owner: ObservedBus;
  const services: Service[] = [];

  const connectTo = (name: string): ObservedBus =>
    connectBus({
      url: server.url,
      name,
      log,
      clock: timerClock,
      entropy: realEntropy,
      limits: { ackWaitMs: 2_000, handlerFailedDelayMs: 200 },
    });

  async function startService(answer: Answer): Promise<Service> {
    const bus = connectTo('service');
    const transport = new WritTransport({
      bus,
      log,
      clock: timerClock,
      execute: { pool: POOL, free: () => 2 },
      approve: { free: () => 1 },
      drainMs: 5_000,
    });
    const app = await NestFactory.createMicroservice<MicroserviceOptions>(SampleModule.answering(answer), {
      strategy: transport,
      logger: false,
    });
    await app.listen();
    const service = { app, transport, bus, desk: app.get(Desk) };
    services.push(service);
    return service;
  }

  async function eventually(words: string, check: () => boolean | Promise<boolean>): Promise<void> {
    const until = performance.now() + PATIENCE_MS;
    while (!(await check())) {
      if (performance.now() > until) throw new Error(`never: ${words}\n${JSON.stringify(log.lines)}`);
      await timerClock.sleep(10);
    }
  }

  const allConnected = () => owner.connected() && services.every(({ bus }) => bus.connected());

  beforeEach(async () => {
    server = await startNatsServer();
    log = recordLog();
    owner = connectTo('owner');
  });
  afterEach(async () => {
    for (const { app, bus } of services.splice(0)) {
      await app.close();
      await bus.close();
    }
    await owner.close();
    await server.dispose();
  });

  it('has its handlers called with parsed wakes and hints, by injected instances', async () => {
    const { desk } = await startService(() => ack);
    await eventually('connected', allConnected);
    const wake = { ...wakeOf('call-1'), traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` };
    expect(await owner.wakeExecutor(POOL, wake)).toBe('published');
    expect(await owner.wakeApprovals(wakeOf('call-2'))).toBe('published');
    owner.notice({ version: 1, sessionId: 's-1', callId: 'call-1', revision: 7 });
    owner.cancel({ version: 1, callId: 'call-1', reason: 'interrupt' });
    await eventually(
      'all handled',
      () => desk.wakes.length + desk.approvals.length + desk.hints.length === 4,
    );
    expect(desk.wakes).toEqual([wake]);
    expect(desk.approvals).toEqual([wakeOf('call-2')]);
    expect(desk.patterns).toEqual(['writ.execute']);
    expect(desk.hints).toEqual(
      expect.arrayContaining([
        { version: 1, sessionId: 's-1', callId: 'call-1', revision: 7 },
        { version: 1, callId: 'call-1', reason: 'interrupt' },
      ]),
    );
  });

  it('has a verdict honoured: given back is delivered again, acknowledged is not', async () => {
    const { desk } = await startService((_wake, nth) => (nth === 1 ? nak(300) : ack));
    await eventually('connected', allConnected);
    await owner.wakeExecutor(POOL, wakeOf('call-1'));
    await eventually('delivered again', () => desk.wakes.length === 2);
    await timerClock.sleep(2_500);
    expect(desk.wakes).toHaveLength(2);
  });

  it.each<[string, Answer]>([
    [
      'throws',
      () => {
        throw new RangeError('secret argument');
      },
    ],
    ['rejects', () => Promise.reject(new RangeError('secret argument'))],
    ['returns no verdict', () => 'done'],
  ])('gets a delivery again whose handler %s, and lives', async (_what, misbehave) => {
    const { desk, bus } = await startService((wake, nth) => (nth === 1 ? misbehave(wake, nth) : ack));
    await eventually('connected', allConnected);
    await owner.wakeExecutor(POOL, wakeOf('call-1'));
    await eventually('delivered again', () => desk.wakes.length === 2);
    expect(bus.counters().failed).toBe(1);
    const line = log.lines.find(({ event }) => event === 'wake_handler_threw');
    expect(line?.fields['error']).toMatch(/RangeError|TypeError/);
    expect(JSON.stringify(log.lines)).not.toContain('secret argument');
  });

  it('lives on when a handler of hints throws', async () => {
    const { desk } = await startService(() => ack);
    await eventually('connected', allConnected);
    owner.notice({ version: 1, sessionId: 's-1', control: true });
    await eventually('logged', () => log.lines.some(({ event }) => event === 'hint_handler_threw'));
    owner.cancel({ version: 1, callId: 'call-1', reason: 'interrupt' });
    await eventually('next heard', () => desk.hints.length === 2);
  });

  it('lives on when bytes do not parse', async () => {
    const { desk, bus } = await startService(() => ack);
    await eventually('connected', allConnected);
    await server.visit((stranger) => {
      for (const text of ['}{', '\xff', '{"pattern":"x","data":1}']) {
        stranger.publish(executeSubject(POOL), Buffer.from(text, 'latin1'));
        stranger.publish(noticeSubject('s-1'), Buffer.from(text, 'latin1'));
      }
    });
    await owner.wakeExecutor(POOL, wakeOf('call-1'));
    await eventually('next handled', () => desk.wakes.length === 1);
    await eventually('hints counted', () => bus.counters().malformedHints === 3);
    expect(bus.counters().malformedWakes).toBe(3);
  });

  it.each([['kept'], ['empty']] as const)(
    'survives a broker that is killed and comes back with %s storage',
    async (storage) => {
      const { desk, app } = await startService(() => ack);
      const statuses: string[] = [];
      app.status.subscribe((status) => void statuses.push(status));
      await eventually('connected', () => allConnected() && statuses.at(-1) === 'connected');
      await server.stop();
      await eventually('noticed', () => !allConnected() && statuses.at(-1) === 'disconnected');
      await server.start(storage);
      await eventually('connected again', () => allConnected() && statuses.at(-1) === 'connected');
      expect(await owner.wakeExecutor(POOL, wakeOf('after'))).toBe('published');
      owner.cancel({ version: 1, callId: 'after', reason: 'interrupt' });
      await eventually('handled', () => desk.wakes.length === 1 && desk.hints.length === 1);
    },
  );

  it('starts without a broker and works once there is one', async () => {
    await server.stop();
    const { desk } = await startService(() => ack);
    await server.start('empty');
    await eventually('connected', allConnected);
    await owner.wakeExecutor(POOL, wakeOf('call-1'));
    await eventually('handled', () => desk.wakes.length === 1);
  });

  it('drains when it is closed: what is under way ends and is acknowledged, the rest is left to others', async () => {
    let finish: (verdict: unknown) => void = () => undefined;
    const { desk, app, transport, bus } = await startService(
      () => new Promise((resolve) => (finish = resolve)),
    );
    await eventually('connected', allConnected);
    expect(app.unwrap()).toBe(bus);
    await owner.wakeExecutor(POOL, wakeOf('under-way'));
    await eventually('taken', () => desk.wakes.length === 1);
    let closed = false;
    const closing = app.close().then(() => (closed = true));
    await owner.wakeExecutor(POOL, wakeOf('untouched'));
    await timerClock.sleep(200);
    expect(closed).toBe(false);
    finish(ack);
    await closing;
    await transport.close();
    owner.cancel({ version: 1, callId: 'untouched', reason: 'interrupt' });
    await timerClock.sleep(100);
    expect(desk.hints).toEqual([]);
    expect(desk.wakes).toEqual([wakeOf('under-way')]);
    const heir = await startService(() => ack);
    await eventually('left to the heir', () => heir.desk.wakes.length > 0);
    await timerClock.sleep(2_500);
    expect(heir.desk.wakes).toEqual([wakeOf('untouched')]);
  });

  it('does not start where handlers and options do not fit', async () => {
    const transport = new WritTransport({ bus: owner, log, clock: timerClock, drainMs: 0 });
    const app = await NestFactory.createMicroservice<MicroserviceOptions>(
      SampleModule.answering(() => ack),
      {
        strategy: transport,
        logger: false,
      },
    );
    await expect(app.listen()).rejects.toThrow('writ.execute needs both a handler and its option');
    await app.close();
  });
});
