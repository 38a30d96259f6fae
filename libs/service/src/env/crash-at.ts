import type { Service } from '@writ/contracts';
import type { CrashPoint } from '@writ/runtime';
import { z } from 'zod';
import { serviceLimits } from '../limits';

/** The crash points that each service's code passes; another name is a typing error and stops it at start-up. */
export const crashPointsOf = {
  'turn-orchestrator': ['K0', 'K1', 'K2', 'K3', 'K9', 'H4'],
  'tool-executor': ['K4', 'K4a', 'K4b', 'K4c', 'K5', 'K6', 'K7', 'H1', 'H2', 'H3'],
  'approval-service': ['P0', 'P1', 'P2', 'P3', 'P4'],
} as const satisfies { readonly [service in Service]: readonly CrashPoint[] };

export interface CrashAt {
  readonly point: CrashPoint;
  /** The process kills itself at this pass, counted from 1. */
  readonly pass: number;
}

/** WRIT_CRASH_AT: `<name>` or `<name>:<n>`. */
export function crashAt(service: Service) {
  const names: readonly CrashPoint[] = crashPointsOf[service];
  return z
    .string()
    .transform((text, ctx): CrashAt => {
      const match = /^([A-Za-z0-9]{1,8})(?::([1-9][0-9]{0,6}))?$/.exec(text);
      const point = names.find((name) => name === match?.[1]);
      const pass = Number(match?.[2] ?? 1);
      if (point !== undefined && pass <= serviceLimits.crashPasses) return { point, pass };
      ctx.addIssue({ code: 'invalid_format', format: 'crash point' });
      return z.NEVER;
    })
    .optional()
    .describe(`one of ${names.join(', ')}, and :n for its n-th pass`);
}
