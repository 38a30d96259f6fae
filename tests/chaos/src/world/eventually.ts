import { setTimeout as sleep } from 'node:timers/promises';
import { chaosLimits } from '../limits';

/** Polls until `look` gives something, at most `withinMs`; undefined where it never did. `everyMs` between two looks. */
export async function within<T>(
  withinMs: number,
  look: () => T | undefined | Promise<T | undefined>,
  everyMs: number = chaosLimits.pollMs,
): Promise<T | undefined> {
  const end = performance.now() + withinMs;
  for (;;) {
    const found = await look();
    if (found !== undefined || performance.now() > end) return found;
    await sleep(everyMs);
  }
}
