import { approveSubject, executeSubject } from '@writ/contracts';
import { ACK_WAIT_MS, manualAnswer, never, POOL, startWorker, wakeOf, type BusWorld } from './bus-world';

export function describeWakes(world: () => BusWorld): void {
  describe('wakes', () => {
    it('delivers an acknowledged wake once, whole and parsed', async () => {
      const { connect, eventually, pass } = world();
      const bus = connect();
      const wakes: unknown[] = [];
      bus.consumeExecute(POOL, {
        free: () => 2,
        handle: async (wake) => {
          wakes.push(wake);
          return { verdict: 'ack' };
        },
      });
      await eventually('connected', () => bus.connected());
      const wake = { ...wakeOf('call-1'), traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` };
      expect(await bus.wakeExecutor(POOL, wake)).toBe('published');
      await eventually('delivered', () => wakes.length > 0);
      await pass(ACK_WAIT_MS + 300);
      expect(wakes).toEqual([wake]);
    });

    it('keeps wakes of a pool apart from those of another and from those for approvals', async () => {
      const { connect, eventually } = world();
      const bus = connect();
      const worker = startWorker(bus);
      const approvals: string[] = [];
      bus.consumeApprovals({
        free: () => 1,
        handle: async ({ callId }) => {
          approvals.push(callId);
          return { verdict: 'ack' };
        },
      });
      await eventually('connected', () => bus.connected());
      await bus.wakeExecutor('other', wakeOf('foreign'));
      await bus.wakeApprovals(wakeOf('to-approve'));
      await bus.wakeExecutor(POOL, wakeOf('own'));
      await eventually('delivered', () => worker.seen.length > 0 && approvals.length > 0);
      expect(worker.seen).toEqual(['own']);
      expect(approvals).toEqual(['to-approve']);
    });

    it('keeps a wake for a pool whose executors are not there yet', async () => {
      const { connect, eventually } = world();
      const owner = connect();
      await eventually('connected', () => owner.connected());
      expect(await owner.wakeExecutor(POOL, wakeOf('early'))).toBe('published');
      const worker = startWorker(connect());
      await eventually('delivered', () => worker.seen.length > 0);
      expect(worker.seen).toEqual(['early']);
    });

    it('delivers each wake of the same call, since every one is a message of its own', async () => {
      const { connect, eventually } = world();
      const bus = connect();
      const worker = startWorker(bus);
      await eventually('connected', () => bus.connected());
      await bus.wakeExecutor(POOL, wakeOf('call-1'));
      await bus.wakeExecutor(POOL, wakeOf('call-1'));
      await eventually('both delivered', () => worker.seen.length === 2);
    });

    it('delivers a wake that was given back again, not before its delay', async () => {
      const { connect, eventually, pass } = world();
      const bus = connect();
      const worker = startWorker(bus, {
        answer: (_wake, nth) => (nth === 1 ? { verdict: 'nak', delayMs: 600 } : { verdict: 'ack' }),
      });
      await eventually('connected', () => bus.connected());
      await bus.wakeExecutor(POOL, wakeOf('call-1'));
      await eventually('delivered', () => worker.seen.length === 1);
      await pass(200);
      expect(worker.seen).toHaveLength(1);
      await eventually('delivered again', () => worker.seen.length === 2);
      await pass(ACK_WAIT_MS + 300);
      expect(worker.seen).toHaveLength(2);
    });

    it('gives an unanswered wake to another executor', async () => {
      const { connect, eventually } = world();
      const stuck = startWorker(connect(), { slots: () => 1, answer: never });
      const owner = connect();
      await eventually('connected', () => owner.connected());
      await owner.wakeExecutor(POOL, wakeOf('call-1'));
      await eventually('stuck', () => stuck.seen.length === 1);
      const healthy = startWorker(connect());
      await eventually('delivered elsewhere', () => healthy.seen.length === 1);
    });

    it('gives the wakes of a closed executor to another one, whatever its handler answers afterwards', async () => {
      const { connect, eventually, pass } = world();
      const dying = connect();
      const { answer, promise } = manualAnswer();
      const first = startWorker(dying, { answer: () => promise });
      await eventually('connected', () => dying.connected());
      await dying.wakeExecutor(POOL, wakeOf('call-1'));
      await eventually('taken', () => first.seen.length === 1);
      await dying.close();
      answer({ verdict: 'ack' });
      await pass(50);
      const second = startWorker(connect());
      await eventually('delivered elsewhere', () => second.seen.length === 1);
    });

    it('shares one pool between two executors, each wake to one of them', async () => {
      const { connect, eventually, pass } = world();
      const owner = connect();
      const buses = [connect(), connect()];
      const workers = buses.map((bus) => startWorker(bus, { slots: () => 1 }));
      await eventually('connected', () => [owner, ...buses].every((bus) => bus.connected()));
      const calls = Array.from({ length: 20 }, (_, n) => `call-${n}`);
      await Promise.all(calls.map((callId) => owner.wakeExecutor(POOL, wakeOf(callId))));
      const seen = () => workers.flatMap((worker) => worker.seen);
      await eventually('all delivered', () => seen().length >= calls.length);
      await pass(100);
      expect(seen().toSorted()).toEqual(calls.toSorted());
      for (const worker of workers) expect(worker.seen).not.toHaveLength(0);
    });

    it('pulls only as many as there are free slots, and the rest once there are more', async () => {
      const { connect, eventually, pass } = world();
      const bus = connect();
      let slots = 2;
      const worker = startWorker(bus, { slots: () => slots, answer: never });
      const other = startWorker(connect(), { slots: () => 0 });
      await eventually('connected', () => bus.connected());
      for (const callId of ['a', 'b', 'c', 'd']) await bus.wakeExecutor(POOL, wakeOf(callId));
      await eventually('two taken', () => worker.seen.length === 2);
      await pass(300);
      expect(worker.seen).toEqual(['a', 'b']);
      expect(other.seen).toEqual([]);
      slots = 4;
      await eventually('four taken', () => worker.seen.length === 4);
    });

    it('serves a third call while two deliveries are stuck', async () => {
      const { connect, eventually } = world();
      const stuck = startWorker(connect(), { slots: () => 2, answer: never });
      const owner = connect();
      await eventually('connected', () => owner.connected());
      await owner.wakeExecutor(POOL, wakeOf('stuck-1'));
      await owner.wakeExecutor(POOL, wakeOf('stuck-2'));
      await eventually('stuck', () => stuck.seen.length === 2);
      const healthy = startWorker(connect(), {
        slots: () => 3,
        answer: ({ callId }) => (callId === 'third' ? { verdict: 'ack' } : never()),
      });
      await owner.wakeExecutor(POOL, wakeOf('third'));
      await eventually('third served', () => healthy.seen.includes('third'));
    });

    it('gives a wake back whose handler threw, says so, and goes on', async () => {
      const { connect, eventually, log } = world();
      const bus = connect();
      const worker = startWorker(bus, {
        answer: ({ callId }, nth) => {
          if (callId === 'bad' && nth === 1) throw new TypeError('secret argument');
          return { verdict: 'ack' };
        },
      });
      await eventually('connected', () => bus.connected());
      await bus.wakeExecutor(POOL, wakeOf('bad'));
      await bus.wakeExecutor(POOL, wakeOf('good'));
      await eventually(
        'delivered again',
        () => worker.seen.filter((callId) => callId === 'bad').length === 2,
      );
      expect(worker.seen).toContain('good');
      expect(bus.counters().failed).toBe(1);
      const line = log.lines.find(({ event }) => event === 'wake_handler_threw');
      expect(line?.fields).toMatchObject({ callId: 'bad', error: 'TypeError' });
      expect(JSON.stringify(log.lines)).not.toContain('secret argument');
    });

    it.each([
      ['no JSON', Buffer.from('}{')],
      ['no UTF-8', Buffer.from([0xff, 0xfe, 0x00])],
      ['nothing', Buffer.alloc(0)],
      ['no wake', Buffer.from('{"sessionId":"s"}')],
      [
        'a wake that is too large',
        Buffer.from(JSON.stringify({ ...wakeOf('big'), padding: 'x'.repeat(5_000) })),
      ],
    ])('ends a delivery that is %s, once, and serves the next', async (_what, bytes) => {
      const { connect, eventually, pass, publishBytes } = world();
      const bus = connect();
      const worker = startWorker(bus);
      await eventually('connected', () => bus.connected());
      await publishBytes(executeSubject(POOL), bytes);
      await bus.wakeExecutor(POOL, wakeOf('next'));
      await eventually('next served', () => worker.seen.length === 1);
      await pass(ACK_WAIT_MS + 300);
      expect(worker.seen).toEqual(['next']);
      expect(bus.counters()).toMatchObject({ malformedWakes: 1, redelivered: 0 });
    });

    it('refuses to send a wake that is too large, and survives it', async () => {
      const { connect, eventually, log } = world();
      const bus = connect();
      await eventually('connected', () => bus.connected());
      expect(await bus.wakeApprovals(wakeOf('x'.repeat(5_000)))).toBe('unknown');
      expect(log.lines.some(({ event }) => event === 'wake_too_large')).toBe(true);
      expect(await bus.wakeApprovals(wakeOf('call-1'))).toBe('published');
      expect(approveSubject).toBe('writ.approve');
    });
  });
}
