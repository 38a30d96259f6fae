/** Bounded waits, over the clock that was given. */
import type { Clock, Entropy } from '@writ/runtime';
import { RETRY_FIRST_MS, RETRY_MAX_MS } from './limits';

/** Ends when the work has ended (well or not) or after `ms`, whichever comes first; leaves no timer behind. */
export async function waitAtMost(clock: Clock, ms: number, work: Promise<unknown>): Promise<void> {
  if (ms <= 0) return;
  const early = new AbortController();
  const done = () => early.abort('done');
  work.then(done, done);
  await clock.sleep(ms, early.signal);
}

/** Milliseconds before the next attempt after `failures` of them; doubled each time, the upper half of it jitter. */
export function retryDelay(failures: number, entropy: Entropy): number {
  const full = Math.min(RETRY_FIRST_MS * 2 ** Math.min(failures, 16), RETRY_MAX_MS);
  return Math.ceil((full * (1 + entropy.random())) / 2);
}
