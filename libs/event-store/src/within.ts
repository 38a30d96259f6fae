import type { Clock } from '@writ/runtime';

/** What `work` gives, or undefined after `ms`; the work goes on unheard. `work` must not reject after that. */
export async function within<T>(clock: Clock, ms: number, work: Promise<T>): Promise<T | undefined> {
  const timer = new AbortController();
  try {
    return await Promise.race([work, clock.sleep(ms, timer.signal).then(() => undefined)]);
  } finally {
    timer.abort();
  }
}
