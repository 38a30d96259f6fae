import type { Clock } from '@writ/runtime';
import { systemClock } from './system-ports';

/** The machine's time, but whoever sleeps is woken `factor` times too early: for waits that are seconds long. */
export const hastyClock = (factor: number): Clock => ({
  ...systemClock,
  sleep: (ms, signal) => systemClock.sleep(ms / factor, signal),
});
