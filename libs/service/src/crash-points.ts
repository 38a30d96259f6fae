import type { CrashPoint, CrashPoints, Log } from '@writ/runtime';
import type { CrashAt } from './env';
import { serviceLimits } from './limits';

/** Kills or freezes this process at the n-th pass of the point that WRIT_CRASH_AT names; without one, passing costs nothing. */
export function crashPoints(at: CrashAt | undefined, log: Log): CrashPoints {
  if (at === undefined) return { pass: () => undefined };
  const { signal } = at;
  let passes = 0;
  let hasEnded = false;
  return {
    pass(point: CrashPoint, inFlight?: Promise<unknown>): void {
      if (point !== at.point) return;
      passes += 1;
      if (passes !== at.pass) return;
      if (inFlight === undefined) return end(point);
      const unanswered = setTimeout(() => end(point), serviceLimits.crashInFlightMs);
      const answered = (): void => {
        clearTimeout(unanswered);
        end(point);
      };
      // The answer, should it come, is the last thing that this process hears: whoever waits for it is told later.
      inFlight.then(answered, answered);
    },
  };

  function end(point: CrashPoint): void {
    if (hasEnded) return;
    hasEnded = true;
    log.warn('crash_point', { point, pass: passes, signal });
    process.kill(process.pid, signal);
  }
}
