import { z } from 'zod';

const units = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 } as const;
/** The longest that a duration may be: 24 days, what a Node timer can hold. */
const longestMs = 24 * 24 * units.h;

/** A whole number and `ms`, `s`, `m` or `h`; parses to milliseconds. */
export const durationSchema = z.string().transform((text, ctx) => {
  const match = /^([1-9][0-9]{0,9})(ms|s|m|h)$/.exec(text);
  const unit = match?.[2] as keyof typeof units | undefined;
  const ms = match && unit ? Number(match[1]) * units[unit] : Number.NaN;
  if (ms <= longestMs) return ms;
  ctx.addIssue({
    code: 'custom',
    message: 'must be a whole number followed by ms, s, m or h, at most 24 days',
  });
  return z.NEVER;
});
