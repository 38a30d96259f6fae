import * as fc from 'fast-check';
import { millisOf } from './time';

describe('a time in a record', () => {
  it('is the moment that the calendar says', () => {
    const dates = fc.date({
      min: new Date('1600-01-01T00:00:00.000Z'),
      max: new Date('9999-12-31T23:59:59.999Z'),
      noInvalidDate: true,
    });
    fc.assert(fc.property(dates, (date) => millisOf(date.toISOString()) === date.getTime()));
    for (const time of [
      '1970-01-01T00:00:00.000Z',
      '2024-02-29T23:59:59.999Z',
      '2000-03-01T00:00:00.000Z',
      '1900-02-28T12:00:00.000Z',
    ])
      expect(millisOf(time)).toBe(Date.parse(time));
  });

  it.each(['2026-01-01', '2026-01-01T10:00:00Z', '2026-01-01T10:00:00.000+01:00', 'soon'])(
    'is never %s',
    (text) => {
      expect(() => millisOf(text)).toThrow('a time is not RFC 3339');
    },
  );
});
