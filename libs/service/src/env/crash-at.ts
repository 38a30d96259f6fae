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
  /** The process ends or stops itself at this pass, counted from 1. */
  readonly pass: number;
  /** `SIGSTOP`: it stays there, frozen, until somebody wakes it. */
  readonly signal: 'SIGKILL' | 'SIGSTOP';
}

/** WRIT_CRASH_AT: `<name>`, `<name>:<n>`, and either with `:stop` behind it. */
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
