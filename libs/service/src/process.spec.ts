import type { Log } from '@writ/runtime';
import { crashPoints, createLog, onShutdown, systemClock, systemEntropy, type ShutdownStep } from '.';

const silent: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };

describe('the log', () => {
  it('writes one JSON line per event, with the stable word in `event`', () => {
    const lines: string[] = [];
    const log = createLog({
      level: 'info',
      service: 'tool-executor',
      instance: 'a',
      stream: { write: (line) => lines.push(line) },
    });
    log.info('call_woken', { callId: 'c1', revision: 3 });
    log.warn('lease_silent', {});
    expect(lines).toHaveLength(2);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      event: 'call_woken',
      callId: 'c1',
      revision: 3,
      service: 'tool-executor',
      instance: 'a',
      level: 30,
    });
  });

  it('keeps quiet below its level', () => {
    const lines: string[] = [];
    const stream = { write: (line: string) => lines.push(line) };
    createLog({ level: 'error', service: 's', instance: 'a', stream }).info('call_woken', {});
    expect(lines).toEqual([]);
  });
});

describe('the system clock', () => {
  it('never runs backwards', () => {
    const first = systemClock.monotonicMs();
    expect(systemClock.monotonicMs()).toBeGreaterThanOrEqual(first);
  });

  it('ends a sleep at once when the signal aborts, before or during it', async () => {
    const controller = new AbortController();
    const sleep = systemClock.sleep(600_000, controller.signal);
    controller.abort();
    await sleep;
    await systemClock.sleep(600_000, controller.signal);
  });

  it('does not turn a very long sleep into none', async () => {
    const controller = new AbortController();
    let isOver = false;
    const sleep = systemClock.sleep(2 ** 40, controller.signal).then(() => (isOver = true));
    await systemClock.sleep(5);
    expect(isOver).toBe(false);
    controller.abort();
    await sleep;
  });
});

describe('the system entropy', () => {
  it('gives another id each time', () => {
    expect(systemEntropy.uuid()).not.toBe(systemEntropy.uuid());
  });
});

describe('crash points', () => {
  it.each(['an answer', 'a failure'])(
    'with something in flight kill at %s, before anybody acts on it',
    async (how) => {
      const told: string[] = [];
      const kill = jest.spyOn(process, 'kill').mockImplementation(() => {
        told.push('killed');
        return true;
      });
      try {
        let answer = (_failure?: Error): void => undefined;
        const inFlight = new Promise<void>((resolve, reject) => {
          answer = (failure) => (failure === undefined ? resolve() : reject(failure));
        });
        crashPoints({ point: 'K6', pass: 1, signal: 'SIGKILL' }, silent).pass('K6', inFlight);
        const acting = inFlight.catch(() => undefined).then(() => told.push('acted'));
        await new Promise(setImmediate);
        expect(told).toEqual([]);
        answer(how === 'a failure' ? new Error('unheard') : undefined);
        await acting;
        expect(told).toEqual(['killed', 'acted']);
        expect(kill).toHaveBeenCalledWith(process.pid, 'SIGKILL');
      } finally {
        kill.mockRestore();
      }
    },
  );

  it('kill although what is in flight is never answered', () => {
    jest.useFakeTimers();
    const kill = jest.spyOn(process, 'kill').mockReturnValue(true);
    try {
      crashPoints({ point: 'K1', pass: 1, signal: 'SIGKILL' }, silent).pass(
        'K1',
        new Promise(() => undefined),
      );
      expect(kill).not.toHaveBeenCalled();
      jest.runAllTimers();
      expect(kill.mock.calls).toEqual([[process.pid, 'SIGKILL']]);
    } finally {
      kill.mockRestore();
      jest.useRealTimers();
    }
  });

  it('kill at the named pass of the named point only', () => {
    const kill = jest.spyOn(process, 'kill').mockReturnValue(true);
    try {
      const points = crashPoints({ point: 'K5', pass: 2, signal: 'SIGKILL' }, silent);
      points.pass('K6');
      points.pass('K5');
      expect(kill).not.toHaveBeenCalled();
      points.pass('K5');
      points.pass('K5');
      expect(kill.mock.calls).toEqual([[process.pid, 'SIGKILL']]);
    } finally {
      kill.mockRestore();
    }
  });
});

describe('crash points at which a process stays', () => {
  it('freeze once, also where the answer comes after the wait for it is over', async () => {
    jest.useFakeTimers();
    const kill = jest.spyOn(process, 'kill').mockReturnValue(true);
    try {
      let answer = (): void => undefined;
      const inFlight = new Promise<void>((resolve) => (answer = resolve));
      crashPoints({ point: 'K1', pass: 1, signal: 'SIGSTOP' }, silent).pass('K1', inFlight);
      jest.runAllTimers();
      answer();
      await inFlight;
      expect(kill.mock.calls).toEqual([[process.pid, 'SIGSTOP']]);
    } finally {
      kill.mockRestore();
      jest.useRealTimers();
    }
  });
});

describe('a graceful stop', () => {
  async function stopWith(steps: readonly ShutdownStep[], timeoutMs = 600_000): Promise<number | undefined> {
    const listeners = (['SIGTERM', 'SIGINT'] as const).map((signal) => ({
      signal,
      old: process.listeners(signal),
    }));
    let code: number | undefined;
    const stop = onShutdown(steps, { log: silent, timeoutMs, exit: (given) => (code = given) });
    await Promise.all([stop.begin('test'), stop.begin('again')]);
    for (const { signal, old } of listeners) {
      for (const listener of process.listeners(signal))
        if (!old.includes(listener)) process.off(signal, listener);
    }
    return code;
  }

  it('runs each step once, one after the other, and exits 0', async () => {
    const order: string[] = [];
    const step = (name: string, ms: number): ShutdownStep => ({
      name,
      run: async () => {
        order.push(`${name} begins`);
        await systemClock.sleep(ms);
        order.push(`${name} ends`);
      },
    });
    expect(await stopWith([step('drain', 5), step('close', 0)])).toBe(0);
    expect(order).toEqual(['drain begins', 'drain ends', 'close begins', 'close ends']);
  });

  it('goes on after a step that fails or hangs, and exits 1', async () => {
    const ran: string[] = [];
    const steps: ShutdownStep[] = [
      { name: 'fails', run: () => Promise.reject(new Error('no')) },
      { name: 'hangs', run: () => new Promise(() => undefined), timeoutMs: 5 },
      { name: 'release', run: () => ran.push('release') },
    ];
    expect(await stopWith(steps)).toBe(1);
    expect(ran).toEqual(['release']);
  });

  it('exits 1 when the whole time is over', async () => {
    expect(await stopWith([{ name: 'hangs', run: () => new Promise(() => undefined) }], 5)).toBe(1);
  });
});
