import type { Clock } from '@writ/runtime';
import { systemClock } from './system-ports';

/** The machine's time, but monotonic time and sleep run `factor` times as fast: for waits that are seconds long. */
export const hastyClock = (factor: number): Clock => ({
  wallMs: () => systemClock.wallMs(),
  monotonicMs: () => systemClock.monotonicMs() * factor,
  sleep: (ms, signal) => systemClock.sleep(ms / factor, signal),
});
