import { cancelSubject, noticeSubject, type Cancel, type ControlNotice, type Notice } from '@writ/contracts';
import { SESSION, wakeOf, type BusWorld } from './bus-world';

const notice: Notice = { version: 1, sessionId: SESSION, callId: 'call-1', revision: 5 };
const control: ControlNotice = { version: 1, sessionId: SESSION, control: true };
const cancel: Cancel = { version: 1, callId: 'call-1', reason: 'interrupt' };

export function describeHints(world: () => BusWorld): void {
  describe('notices and cancels', () => {
    it('reach every listener of every process, the sender included', async () => {
      const { connect, eventually } = world();
      const buses = [connect(), connect()];
      const heard: unknown[][] = buses.map(() => []);
      buses.forEach((bus, n) => {
        bus.onNotice((hint) => heard[n]?.push(hint));
        bus.onCancel((hint) => heard[n]?.push(hint));
      });
      await eventually('connected', () => buses.every((bus) => bus.connected()));
      await eventually('notice heard by all', async () => {
        buses[0]?.notice(notice);
        return heard.every((hints) => hints.length > 0);
      });
      buses[0]?.notice(control);
      buses[0]?.cancel(cancel);
      for (const hints of heard) {
        await eventually('all heard', () => hints.some((hint) => hint !== null && hints.length >= 3));
        expect(hints).toEqual(expect.arrayContaining([notice, control, cancel]));
      }
    });

    it('are not heard any more by a listener that stopped', async () => {
      const { connect, eventually, pass } = world();
      const bus = connect();
      const heard: unknown[] = [];
      const stop = bus.onNotice((hint) => heard.push(hint));
      await eventually('connected', () => bus.connected());
      bus.notice(notice);
      await eventually('heard', () => heard.length === 1);
      stop();
      bus.notice(notice);
      await pass(100);
      expect(heard).toHaveLength(1);
    });

    it('are heard once, however often a listener came and went', async () => {
      const { connect, eventually, pass } = world();
      const bus = connect();
      await eventually('connected', () => bus.connected());
      for (let n = 0; n < 3; n += 1) bus.onNotice(() => undefined)();
      const heard: unknown[] = [];
      bus.onNotice((hint) => heard.push(hint));
      bus.notice(notice);
      await eventually('heard', () => heard.length > 0);
      await pass(100);
      expect(heard).toHaveLength(1);
    });

    it('are dropped and counted where they do not parse, and the next is heard', async () => {
      const { connect, eventually, publishBytes } = world();
      const bus = connect();
      const heard: unknown[] = [];
      bus.onNotice((hint) => heard.push(hint));
      bus.onCancel((hint) => heard.push(hint));
      await eventually('connected', () => bus.connected());
      await publishBytes(noticeSubject(SESSION), Buffer.from('}{'));
      await publishBytes(cancelSubject('call-1'), Buffer.from('{"callId":7}'));
      await publishBytes(cancelSubject('call-1'), Buffer.from([0xff]));
      bus.cancel(cancel);
      await eventually('cancel heard', () => heard.length > 0);
      await eventually('malformed counted', () => bus.counters().malformedHints === 3);
      expect(heard).toEqual([cancel]);
    });

    it('reach the other listeners when one of them throws', async () => {
      const { connect, eventually, log } = world();
      const bus = connect();
      const heard: unknown[] = [];
      bus.onCancel(() => {
        throw new Error('a bug');
      });
      bus.onCancel((hint) => heard.push(hint));
      await eventually('connected', () => bus.connected());
      bus.cancel(cancel);
      await eventually('heard', () => heard.length === 1);
      expect(log.lines.map(({ event }) => event)).toContain('hint_listener_threw');
    });

    it('are lost and counted while the broker is away, not kept for later', async () => {
      const { connect, eventually, pass, stopBroker, startBroker } = world();
      const bus = connect();
      const heard: unknown[] = [];
      bus.onNotice((hint) => heard.push(hint));
      await eventually('connected', () => bus.connected());
      await stopBroker();
      await eventually('noticed', () => !bus.connected());
      for (let n = 0; n < 10; n += 1) bus.notice({ ...notice, revision: n });
      expect(bus.counters().droppedHints).toBe(10);
      await startBroker('kept');
      await eventually('connected again', () => bus.connected());
      bus.notice({ ...notice, revision: 99 });
      await eventually('heard', () => heard.length > 0);
      await pass(200);
      expect(heard).toEqual([{ ...notice, revision: 99 }]);
      expect(await bus.wakeApprovals(wakeOf('call-1'))).toBe('published');
    });
  });
}
