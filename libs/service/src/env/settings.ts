import { z } from 'zod';

/**
 * Kinds of settings. The description completes "allowed: …" in the line that a wrong value stops the service with;
 * a `secret` is never shown in it.
 */
export function text(fallback: string) {
  return z.string().default(fallback).describe('any text');
}

export function file(fallback: string) {
  return z.string().default(fallback).describe('the path of a file');
}

export function secret() {
  return z.string().optional().meta({ description: 'any text', secret: true });
}

/** An http(s) address, without a trailing slash. */
export function httpUrl() {
  return z
    .url({ protocol: /^https?$/ })
    .transform((url) => url.replace(/\/+$/, ''))
    .optional()
    .describe('an http or https URL');
}

export function port(fallback: number) {
  return wholeNumber({ min: 0, max: 65_535 })
    .default(fallback)
    .describe('a port from 0 (any free one) to 65535');
}

interface Range {
  readonly min: number;
  readonly max: number;
}

export function milliseconds(range: Range & { readonly default: number }) {
  return anyMilliseconds(range).default(range.default);
}

/** Milliseconds whose default depends on other settings. */
export function anyMilliseconds(range: Range) {
  return wholeNumber(range).describe(`whole milliseconds from ${range.min} to ${range.max}`);
}

export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

export function logLevel() {
  return z.enum(logLevels).default('info').describe(logLevels.join(', '));
}

function wholeNumber({ min, max }: Range) {
  return z
    .string()
    .regex(/^[0-9]{1,10}$/)
    .transform(Number)
    .pipe(z.number().min(min).max(max));
}
