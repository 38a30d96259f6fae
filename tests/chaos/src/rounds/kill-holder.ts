import type { Harm } from './harm';
import type { KillPlan } from './kill';
import { holdOne } from './hold-one';
import type { Scene } from './scene';

/** K4c: inside the tool, before its effect. K8: of a batch some results are committed, this call's is not. */
export async function killHolder(
  scene: Scene,
  plan: KillPlan & { readonly point: 'K4c' | 'K8' },
  turns: number,
): Promise<Harm> {
  const { crew, ledger } = scene.world;
  const only = plan.recovery === 'restart' ? crew.others(crew.nth('tool-executor', plan.victim)) : [];
  await crew.stand(new Map(only.map((name) => [name, 'away'])));
  const hold = plan.point === 'K4c' ? 'before' : 'after';
  const { held, holder, sessionId } = await holdOne(scene, { tool: plan.held, hold }, turns);
  if (plan.point === 'K8')
    await scene.call(sessionId, ({ callId, outcome }) => callId !== held && outcome !== null);
  await crew.kill(holder);
  const at = performance.now();
  const isHit = plan.point === 'K8' || ledger.effectsOf(held).raw === 0;
  if (plan.recovery === 'restart') await crew.revive(holder);
  return { hits: isHit ? [plan.point] : [], killed: { at, recovery: plan.recovery } };
}
