import { serviceAt } from '../points';
import type { Choices, KillPlan } from '../plans';
import { reach } from '../reach';
import { disturbed } from './disturbance';
import type { Harm } from './harm';
import type { Scene } from './scene';

/** One process dies at its kill point; then it starts again, or others go on in its place. */
export async function killRound(scene: Scene, plan: Choices & KillPlan, turns: number): Promise<Harm> {
  const isOnly = scene.world.crew.names(serviceAt(plan.point)).length === 1;
  const recovery = isOnly ? 'restart' : plan.recovery;
  const one = await reach(scene, plan, { ends: 'dies', isAlone: recovery === 'restart', turns });
  const faultHits = await disturbed(scene, one.isHit ? plan.during : undefined, () => one.recover(recovery));
  await one.begun;
  const { isHit, at, interrupted } = one;
  return {
    isHit,
    hasDied: isHit,
    interrupted,
    faultHits,
    ...(isHit ? { killed: { at, recovery } } : {}),
  };
}
