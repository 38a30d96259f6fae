import { Random } from './random';
import { Scheduler } from './scheduler';
import { SimProcess } from './sim-process';

const processOf = (scheduler: Scheduler): SimProcess =>
  new SimProcess({ scheduler, label: 'p', host: 'h', pid: 1, skewMs: 0, monotonicFromMs: 0 });

describe('virtual time', () => {
  it('fires timers in order of time, and of setting within one moment', async () => {
    const scheduler = new Scheduler();
    const fired: string[] = [];
    for (const [ms, name] of [
      [30, 'c'],
      [10, 'a'],
      [30, 'd'],
      [20, 'b'],
    ] as const)
      scheduler.after(ms, () => fired.push(`${name}@${scheduler.nowMs}`));
    await scheduler.run(() => false, 1_000);
    expect(fired).toEqual(['a@10', 'b@20', 'c@30', 'd@30']);
  });

  it('keeps its order over many timers, and forgets cancelled ones', async () => {
    const scheduler = new Scheduler();
    const random = new Random(1);
    const fired: number[] = [];
    const timers = Array.from({ length: 500 }, () => {
      const ms = random.whole(0, 200);
      return { ms, timer: scheduler.after(ms, () => fired.push(ms)) };
    });
    const cancelled = timers.filter((_, index) => index % 3 === 0);
    for (const { timer } of cancelled) scheduler.cancel(timer);
    await scheduler.run(() => false, 1_000);
    const kept = timers.filter((_, index) => index % 3 !== 0).map(({ ms }) => ms);
    expect(fired).toEqual(kept.sort((a, b) => a - b));
  });

  it('moves only when every promise job has run', async () => {
    const scheduler = new Scheduler();
    const seen: number[] = [];
    const work = async (): Promise<void> => {
      for (let hop = 0; hop < 100; hop += 1) await Promise.resolve();
      seen.push(scheduler.nowMs);
    };
    scheduler.after(1, () => void work());
    scheduler.after(2, () => seen.push(-1));
    await scheduler.run(() => false, 10);
    expect(seen).toEqual([1, -1]);
  });

  it('stops at its bound and goes on from there', async () => {
    const scheduler = new Scheduler();
    let fired = false;
    scheduler.after(50, () => (fired = true));
    expect(await scheduler.run(() => fired, 40)).toBe(false);
    expect([scheduler.nowMs, fired]).toEqual([40, false]);
    expect(await scheduler.run(() => fired, 60)).toBe(true);
  });
});

describe('a simulated process', () => {
  it('hears nothing while frozen, everything in order at its thaw', async () => {
    const scheduler = new Scheduler();
    const process = processOf(scheduler);
    const heard: string[] = [];
    void process.clock.sleep(10).then(() => heard.push(`timer@${scheduler.nowMs}`));
    scheduler.after(5, () => process.freeze());
    scheduler.after(20, () => void process.answer('answer').then((said) => heard.push(said)));
    scheduler.after(30, () => process.thaw());
    await scheduler.run(() => false, 100);
    expect(heard).toEqual(['timer@30', 'answer']);
  });

  it('hears nothing ever again once it is dead', async () => {
    const scheduler = new Scheduler();
    const process = processOf(scheduler);
    let heard = false;
    void process.clock.sleep(10).then(() => (heard = true));
    void process.answer(scheduler.sleep(10)).then(() => (heard = true));
    process.kill();
    process.thaw();
    await scheduler.run(() => false, 100);
    expect([heard, process.isDead]).toEqual([false, true]);
  });

  it('has its timers by its own signal at once', async () => {
    const scheduler = new Scheduler();
    const { clock } = processOf(scheduler);
    const stop = new AbortController();
    let wokenAt = -1;
    void clock.sleep(1_000, stop.signal).then(() => (wokenAt = scheduler.nowMs));
    scheduler.after(3, () => stop.abort());
    await scheduler.run(() => wokenAt >= 0, 100);
    expect(wokenAt).toBe(3);
  });
});
