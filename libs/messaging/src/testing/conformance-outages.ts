import { ACK_WAIT_MS, manualAnswer, POOL, startWorker, wakeOf, type BusWorld } from './bus-world';

export function describeOutages(world: () => BusWorld): void {
  describe('outages', () => {
    it('says unknown while the broker is away, and works once it is back', async () => {
      const { connect, eventually, stopBroker, startBroker } = world();
      const bus = connect();
      const worker = startWorker(bus);
      await eventually('connected', () => bus.connected());
      await stopBroker();
      await eventually('noticed', () => !bus.connected());
      expect(await bus.wakeExecutor(POOL, wakeOf('lost'))).toBe('unknown');
      await startBroker('kept');
      await eventually('connected again', () => bus.connected());
      expect(await bus.wakeExecutor(POOL, wakeOf('later'))).toBe('published');
      await eventually('delivered', () => worker.seen.includes('later'));
      expect(worker.seen).toEqual(['later']);
    });

    it('may be made before there is a broker', async () => {
      const { connect, eventually, stopBroker, startBroker } = world();
      await stopBroker();
      const bus = connect();
      const worker = startWorker(bus);
      expect(bus.connected()).toBe(false);
      expect(await bus.wakeExecutor(POOL, wakeOf('lost'))).toBe('unknown');
      await startBroker('empty');
      await eventually('connected', () => bus.connected());
      expect(await bus.wakeExecutor(POOL, wakeOf('call-1'))).toBe('published');
      await eventually('delivered', () => worker.seen.includes('call-1'));
    });

    it('keeps what was published over a restart of the broker, delivered once', async () => {
      const { connect, eventually, pass, stopBroker, startBroker } = world();
      const owner = connect();
      await eventually('connected', () => owner.connected());
      for (const callId of ['a', 'b', 'c']) {
        expect(await owner.wakeExecutor(POOL, wakeOf(callId))).toBe('published');
      }
      await stopBroker();
      const worker = startWorker(connect());
      await startBroker('kept');
      await eventually('delivered', () => worker.seen.length === 3);
      await pass(ACK_WAIT_MS + 300);
      expect(worker.seen.toSorted()).toEqual(['a', 'b', 'c']);
    });

    it('makes stream and consumers anew when the broker comes back with empty storage', async () => {
      const { connect, eventually, stopBroker, startBroker } = world();
      const [owner, executor] = [connect(), connect()];
      const worker = startWorker(executor);
      await eventually('connected', () => owner.connected() && executor.connected());
      await owner.wakeExecutor(POOL, wakeOf('before'));
      await eventually('delivered', () => worker.seen.includes('before'));
      await stopBroker();
      await eventually('noticed', () => !owner.connected() && !executor.connected());
      await startBroker('empty');
      await eventually('connected again', () => owner.connected() && executor.connected());
      expect(await owner.wakeExecutor(POOL, wakeOf('after'))).toBe('published');
      await eventually('delivered', () => worker.seen.includes('after'));
      expect(worker.seen).toEqual(['before', 'after']);
    });

    it('hears each notice once after many restarts', async () => {
      const { connect, eventually, pass, stopBroker, startBroker } = world();
      const bus = connect();
      const heard: unknown[] = [];
      bus.onCancel((hint) => heard.push(hint));
      for (let restart = 0; restart < 3; restart += 1) {
        await stopBroker();
        await eventually('noticed', () => !bus.connected());
        await startBroker('kept');
        await eventually('connected again', () => bus.connected());
      }
      bus.cancel({ version: 1, callId: 'call-1', reason: 'round_deadline' });
      await eventually('heard', () => heard.length > 0);
      await pass(100);
      expect(heard).toHaveLength(1);
    });

    it('goes on handling what it had taken when the broker went away', async () => {
      const { connect, eventually, stopBroker, startBroker } = world();
      const bus = connect();
      const { answer, promise } = manualAnswer();
      const worker = startWorker(bus, { answer: (_wake, nth) => (nth === 1 ? promise : { verdict: 'ack' }) });
      await eventually('connected', () => bus.connected());
      await bus.wakeExecutor(POOL, wakeOf('call-1'));
      await eventually('taken', () => worker.seen.length === 1);
      await stopBroker();
      await eventually('noticed', () => !bus.connected());
      answer({ verdict: 'ack' });
      await startBroker('kept');
      await eventually('connected again', () => bus.connected());
      await bus.wakeExecutor(POOL, wakeOf('call-2'));
      await eventually('next taken', () => worker.seen.includes('call-2'));
    });
  });

  describe('endings', () => {
    it('drains: takes nothing new, waits for the handlers under way and has their answers heard', async () => {
      const { connect, eventually, pass } = world();
      const [bus, owner] = [connect(), connect()];
      const { answer, promise } = manualAnswer();
      const worker = startWorker(bus, { slots: () => 1, answer: () => promise });
      await eventually('connected', () => bus.connected() && owner.connected());
      await owner.wakeExecutor(POOL, wakeOf('under-way'));
      await eventually('taken', () => worker.seen.length === 1);
      let drained = false;
      const draining = worker.drain(10_000).then(() => (drained = true));
      await owner.wakeExecutor(POOL, wakeOf('untouched'));
      await pass(200);
      expect(drained).toBe(false);
      answer({ verdict: 'ack' });
      await eventually('drained', () => drained);
      await draining;
      await bus.close();
      const next = startWorker(connect());
      await eventually('delivered elsewhere', () => next.seen.length > 0);
      await pass(ACK_WAIT_MS + 300);
      expect(worker.seen).toEqual(['under-way']);
      expect(next.seen).toEqual(['untouched']);
    });

    it('takes nothing from the others once it is drained', async () => {
      const { connect, eventually, pass } = world();
      const [idle, heir] = [connect(), connect()];
      const worker = startWorker(idle);
      await eventually('connected', () => idle.connected());
      await pass(50);
      await worker.drain(1_000);
      const next = startWorker(heir);
      await eventually('connected', () => heir.connected());
      for (const callId of ['a', 'b', 'c']) await heir.wakeExecutor(POOL, wakeOf(callId));
      await eventually('delivered', () => next.seen.length === 3);
      expect(worker.seen).toEqual([]);
      expect(heir.counters().redelivered).toBe(0);
    });

    it('drains no longer than it was told', async () => {
      const { connect, eventually } = world();
      const bus = connect();
      const worker = startWorker(bus, { answer: () => new Promise(() => undefined) });
      await eventually('connected', () => bus.connected());
      await bus.wakeExecutor(POOL, wakeOf('stuck'));
      await eventually('taken', () => worker.seen.length === 1);
      let drained = false;
      void worker.drain(300).then(() => (drained = true));
      await eventually('drained', () => drained);
    });

    it.each([['up'], ['away']])('closes with nothing left behind while the broker is %s', async (broker) => {
      const { connect, eventually, openHandles, pass, stopBroker } = world();
      const before = openHandles();
      const bus = connect();
      startWorker(bus, { answer: () => new Promise(() => undefined) });
      bus.onNotice(() => undefined);
      await eventually('connected', () => bus.connected());
      await bus.wakeExecutor(POOL, wakeOf('stuck'));
      if (broker === 'away') {
        await stopBroker();
        await eventually('noticed', () => !bus.connected());
      }
      let closed = false;
      void bus.close().then(() => (closed = true));
      await eventually('closed', () => closed);
      // Looked at more than once, and not for long: a test runner has timers of its own, and a forgotten pull ends some time.
      let handles = openHandles();
      for (let look = 0; look < 20 && handles > before; look += 1) {
        await pass(100);
        handles = openHandles();
      }
      expect(handles).toBeLessThanOrEqual(before);
      expect(bus.connected()).toBe(false);
      expect(await bus.wakeExecutor(POOL, wakeOf('late'))).toBe('unknown');
      bus.notice({ version: 1, sessionId: 's', control: true });
      await bus.close();
    });
  });
}
