import type { WorkState } from '@writ/contracts';
import { unclaimed } from '@writ/protocol';
import type { Clock, ProjectionRunner } from '@writ/runtime';
import type { Metrics } from '@writ/service';

/**
 * Whether executors take what there is to take, whoever owns the sessions: a busy pool has calls waiting too, but then
 * something moves. For alerts only; nothing is decided by these wall clocks.
 */
export function observeUnclaimed(
  metrics: Metrics,
  work: Pick<ProjectionRunner<WorkState>, 'current'>,
  clock: Pick<Clock, 'wallMs'>,
): void {
  metrics.observed(
    { name: 'writ_unclaimed_calls', help: 'Calls that an executor may claim and none has.' },
    () => ({ all: unclaimed(work.current).length }),
  );
  metrics.observed(
    {
      name: 'writ_unclaimed_quiet_seconds',
      help: 'The longest that nothing has moved in a session with an unclaimed call.',
    },
    () => {
      const now = clock.wallMs();
      const quietMs = unclaimed(work.current).map(({ quietSince }) => now - Date.parse(quietSince));
      return { longest: quietMs.reduce((longest, each) => Math.max(longest, each), 0) / 1_000 };
    },
  );
}
