import { simulationLimits } from '../limits';
import { SimExecutor } from './executor';
import type { Fleet } from './fleet';
import type { World } from './world';

/** Marks when faults end, and when every executor has been up for so long since that no call waits for one any more. */
export function markCalm(world: World, fleet: Fleet): void {
  const { scheduler, marks, log } = world;
  const { wokenWithinMs, takenOverWithinMs, markEveryMs } = simulationLimits;
  marks.calmFromMs = scheduler.nowMs;
  let upSinceMs = scheduler.nowMs;
  const look = (): void => {
    const isUp = fleet.members.every((one) => !(one instanceof SimExecutor) || one.started.process.isRunning);
    if (!isUp) upSinceMs = scheduler.nowMs;
    const forMs = scheduler.nowMs - upSinceMs;
    if (forMs >= wokenWithinMs) marks.woken ??= log.events.length;
    if (forMs < takenOverWithinMs) scheduler.after(markEveryMs, look);
    else marks.takenOver = log.events.length;
  };
  look();
}
