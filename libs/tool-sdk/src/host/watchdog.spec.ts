import { Watchdog } from './watchdog';

let now: number;
let expired: number;
let watchdog: Watchdog;

beforeEach(() => {
  jest.useFakeTimers();
  now = 1_000;
  expired = 0;
  watchdog = new Watchdog(
    () => now,
    () => (expired += 1),
  );
});
afterEach(() => jest.useRealTimers());

function pass(ms: number): void {
  now += ms;
  jest.advanceTimersByTime(ms);
}

describe('the watchdog', () => {
  it('lets nothing start before it has heard of a lease', () => {
    expect(watchdog.stands()).toBe(false);
  });

  it('expires once when the moment passes, and lets nothing start until a newer one comes', () => {
    watchdog.extend(2_000);
    pass(999);
    expect([watchdog.stands(), expired]).toEqual([true, 0]);
    pass(1);
    expect([watchdog.stands(), expired]).toEqual([false, 1]);
    watchdog.extend(1_999);
    expect(watchdog.stands()).toBe(false);
    watchdog.extend(3_000);
    expect(watchdog.stands()).toBe(true);
    pass(5_000);
    expect(expired).toBe(2);
  });

  it('is put off by each newer moment, and not brought forward by an older one', () => {
    watchdog.extend(2_000);
    watchdog.extend(3_000);
    watchdog.extend(1_500);
    pass(1_500);
    expect([watchdog.stands(), expired]).toEqual([true, 0]);
  });

  it('refuses from the moment on, even where its timer is late', () => {
    watchdog.extend(2_000);
    now = 2_000;
    expect(watchdog.stands()).toBe(false);
  });

  it('lets the lease lapse without a word while nothing is held, and stands until then', () => {
    watchdog.extend(2_000);
    watchdog.rest();
    pass(500);
    expect(watchdog.stands()).toBe(true);
    pass(5_000);
    expect([watchdog.stands(), expired]).toEqual([false, 0]);
  });

  it('expires again once something is held', () => {
    watchdog.extend(2_000);
    watchdog.rest();
    watchdog.wake();
    pass(1_000);
    expect(expired).toBe(1);
  });
});
