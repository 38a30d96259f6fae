import { ack, nak, readVerdict } from './verdict';

describe('what a handler of wakes returned', () => {
  it.each([[ack], [nak(500)]])('is taken as it is where it is a verdict: %j', (verdict) => {
    expect(readVerdict({ ...verdict })).toEqual(verdict);
  });

  it.each([[undefined], [null], ['ack'], [true], [{}], [{ verdict: 'term' }], [{ verdict: 'nak' }]])(
    'is a bug where it is none: %j',
    (returned) => {
      expect(() => readVerdict(returned)).toThrow(TypeError);
    },
  );
});
