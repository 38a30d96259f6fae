import type { CrashPoint, CrashPoints, Log } from '@writ/runtime';
import type { CrashAt } from './env';

/** Kills this process at the n-th pass of the point that WRIT_CRASH_AT names; without one, passing costs nothing. */
export function crashPoints(at: CrashAt | undefined, log: Log): CrashPoints {
  if (at === undefined) return { pass: () => undefined };
  let passes = 0;
  return {
    pass(point: CrashPoint): void {
      if (point !== at.point) return;
      passes += 1;
      if (passes !== at.pass) return;
      log.warn('crash_point', { point, pass: passes });
      process.kill(process.pid, 'SIGKILL');
    },
  };
}
