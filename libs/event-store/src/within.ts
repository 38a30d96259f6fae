import type { Clock } from '@writ/runtime';

/** Without a reason of its own an abort makes an error, stack and all, after every piece of work. */
const over = 'over';

/** What `work` gives, or undefined after `ms`; the work goes on unheard. `work` must not reject after that. */
export async function within<T>(clock: Clock, ms: number, work: Promise<T>): Promise<T | undefined> {
  const timer = new AbortController();
  try {
    return await Promise.race([work, clock.sleep(ms, timer.signal).then(() => undefined)]);
  } finally {
    timer.abort(over);
  }
}
