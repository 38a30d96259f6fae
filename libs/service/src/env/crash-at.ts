import type { Service } from '@writ/contracts';
import { crashPointsOf, type CrashPoint } from '@writ/runtime';
import { z } from 'zod';
import { serviceLimits } from '../limits';

export interface CrashAt {
  readonly point: CrashPoint;
  /** The process ends or stops itself at this pass, counted from 1. */
  readonly pass: number;
  /** `SIGSTOP`: it stays there, frozen, until somebody wakes it. */
  readonly signal: 'SIGKILL' | 'SIGSTOP';
}

/** WRIT_CRASH_AT, where a name that the service's code does not pass stops it at start-up: `<name>`, `<name>:<n>`, and either with `:stop` behind it. */
export function crashAt(service: Service) {
  const names: readonly CrashPoint[] = crashPointsOf[service];
  return z
    .string()
    .transform((text, ctx): CrashAt => {
      const match = /^([A-Za-z0-9]{1,8})(?::([1-9][0-9]{0,6}))?(:stop)?$/.exec(text);
      const point = names.find((name) => name === match?.[1]);
      const pass = Number(match?.[2] ?? 1);
      const signal = match?.[3] === undefined ? 'SIGKILL' : 'SIGSTOP';
      if (point !== undefined && pass <= serviceLimits.crashPasses) return { point, pass, signal };
      ctx.addIssue({ code: 'invalid_format', format: 'crash point' });
      return z.NEVER;
    })
    .optional()
    .describe(`one of ${names.join(', ')}, and :n for its n-th pass, :stop to freeze there`);
}
