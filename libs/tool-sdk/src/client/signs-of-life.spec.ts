import { SignsOfLife } from './signs-of-life';

let silent: number;
let signs: SignsOfLife;
beforeEach(() => {
  jest.useFakeTimers();
  silent = 0;
  signs = new SignsOfLife(10_000, () => (silent += 1));
});
afterEach(() => {
  signs.stop();
  jest.useRealTimers();
});

describe('signs of life', () => {
  it('are missed once a question is not answered in time', () => {
    signs.ask();
    jest.advanceTimersByTime(9_999);
    expect(silent).toBe(0);
    jest.advanceTimersByTime(1);
    expect(silent).toBe(1);
  });

  it('are not missed while every question is answered', () => {
    for (let asked = 0; asked < 100; asked += 1) {
      signs.heard(signs.ask());
      jest.advanceTimersByTime(9_000);
    }
    jest.advanceTimersByTime(60_000);
    expect(silent).toBe(0);
  });

  it('do not come from the answer to an earlier question', () => {
    const before = signs.ask();
    signs.ask();
    signs.heard(before);
    jest.advanceTimersByTime(10_000);
    expect(silent).toBe(1);
  });

  it('count from the last answer while later questions are open', () => {
    const first = signs.ask();
    jest.advanceTimersByTime(8_000);
    signs.ask();
    signs.heard(first);
    jest.advanceTimersByTime(9_999);
    expect(silent).toBe(0);
    jest.advanceTimersByTime(1);
    expect(silent).toBe(1);
  });

  it('are not put off by more questions', () => {
    for (let asked = 0; asked < 10; asked += 1) {
      signs.ask();
      jest.advanceTimersByTime(1_000);
    }
    expect(silent).toBe(1);
  });

  it('leave time for the answer that waits in the pipe after this process itself was frozen', () => {
    const asked = signs.ask();
    jest.advanceTimersByTime(5_000);
    signs.heard(asked);
    jest.advanceTimersByTime(60_000);
    expect(silent).toBe(0);
  });
});
