import type { ArgumentsCode } from './refusals';

/**
 * Why a JSON number is none that JavaScript holds as it was written: beyond all doubles, vanished, rounded. Integers
 * beyond ±(2^53 − 1) are refused even where a double happens to hold one: their neighbours would be the same.
 */
export function numberFault(literal: string): ArgumentsCode | undefined {
  const value = Number(literal);
  if (!Number.isFinite(value)) return 'number_out_of_range';
  const written = decimalOf(literal);
  if (value === 0) return written.digits === '' ? undefined : 'number_out_of_range';
  if (/^-?[0-9]+(\.0+)?$/.test(literal) && !Number.isSafeInteger(value)) return 'integer_too_large';
  const held = decimalOf(String(value));
  const isExact = written.digits === held.digits && written.exponent === held.exponent;
  return isExact ? undefined : 'number_inexact';
}

interface Decimal {
  /** Without zeros at either end; empty for zero. */
  readonly digits: string;
  /** Of ten, for the digits read as an integer. */
  readonly exponent: number;
}

/** The sign is left out: a double never loses it. */
function decimalOf(literal: string): Decimal {
  const [mantissa = '', exponent = '0'] = literal.replace(/^-/, '').split(/[eE]/);
  const [whole = '', fraction = ''] = mantissa.split('.');
  const all = whole + fraction;
  // By index: a regular expression for zeros at the end is quadratic on a long text of zeros.
  let from = 0;
  let to = all.length;
  while (from < to && all[from] === '0') from += 1;
  while (to > from && all[to - 1] === '0') to -= 1;
  return { digits: all.slice(from, to), exponent: Number(exponent) - fraction.length + (all.length - to) };
}
