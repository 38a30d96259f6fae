import { assert } from './assert';

const pattern = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})\.(\d{3})Z$/;

/** Milliseconds since 1970 of an RFC 3339 time in UTC with milliseconds (contracts, `timeSchema`); the core has no `Date`. */
export function millisOf(time: string): number {
  const match = pattern.exec(time);
  assert(match !== null, 'a time is not RFC 3339 in UTC with milliseconds');
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0, ms = 0] = match.slice(1).map(Number);
  return (((daysSince1970(year, month, day) * 24 + hour) * 60 + minute) * 60 + second) * 1000 + ms;
}

/** Proleptic Gregorian calendar, counted in eras of 400 years that begin on the first of March. */
function daysSince1970(year: number, month: number, day: number): number {
  const y = month <= 2 ? year - 1 : year;
  const era = Math.floor(y / 400);
  const yearOfEra = y - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146_097 + dayOfEra - 719_468;
}
