import type { CrashPoint, CrashPoints, Log } from '@writ/runtime';
import type { CrashAt } from './env';

/** *Sent, acknowledgement not received*: code passes these as soon as it has asked, and what it asked for must still leave. */
const afterSending: ReadonlySet<CrashPoint> = new Set(['K1', 'K3', 'K4a', 'K6', 'H1', 'H2', 'P1']);

/** Kills this process at the n-th pass of the point that WRIT_CRASH_AT names; without one, passing costs nothing. */
export function crashPoints(at: CrashAt | undefined, log: Log): CrashPoints {
  if (at === undefined) return { pass: () => undefined };
  let passes = 0;
  return {
    pass(point: CrashPoint): void {
      if (point !== at.point) return;
      passes += 1;
      if (passes !== at.pass) return;
      const end = (): void => {
        log.warn('crash_point', { point, pass: passes });
        process.kill(process.pid, 'SIGKILL');
      };
      // Sockets are written to by the end of this turn of the event loop, and read from in the next one.
      if (afterSending.has(point)) setImmediate(end);
      else end();
    },
  };
}
