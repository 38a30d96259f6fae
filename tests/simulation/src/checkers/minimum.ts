import { simulationLimits } from '../limits';
import { callsOf } from '../workload/minimum';
import type { World } from '../world/world';
import type { Violation } from './history';

/** A run that is too quiet proves nothing: a seed counts only with its sessions, calls, effect classes and faults. */
export function checkMinimum(world: World, sessions: number): readonly Violation[] {
  const { least } = simulationLimits;
  const { staged, classes } = callsOf(world.log.events);
  const faults = world.faults.total;
  const isEnough =
    sessions >= least.sessions &&
    staged >= least.calls &&
    classes.size >= least.classes &&
    faults >= least.faults;
  const what = `only ${sessions} sessions, ${staged} calls over ${classes.size} effect classes, ${faults} faults`;
  return isEnough ? [] : [{ rule: 'minimum', kind: 'thrown', what, at: world.log.events.length }];
}
