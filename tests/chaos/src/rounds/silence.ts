import { setTimeout as sleep } from 'node:timers/promises';
import type { ChaosConfig } from '../config';
import { chaosLimits } from '../limits';
import type { Choices, FrozenPlan, SilentPlan } from '../plans';
import { reach } from '../reach';
import type { Standing } from '../world/crew';
import type { Harm } from './harm';
import { holdOne } from './hold-one';
import type { Scene } from './scene';

const silentMsOf = ({ leaseTtlMs }: ChaosConfig): number => leaseTtlMs * chaosLimits.silentTtls;

/** One process says nothing for longer than its lease lives, and comes back: frozen, or alive without store and broker. */
export async function silenceRound(
  scene: Scene,
  plan: Choices & SilentPlan,
  config: ChaosConfig,
): Promise<Harm> {
  const { world } = scene;
  const { crew, ledger, stack } = world;
  const isCutOff = plan.how === 'cut_off';
  const linked = isCutOff ? crew.names(plan.service) : [];
  await crew.stand(new Map<string, Standing>(linked.map((name) => [name, 'linked'])));
  const chosen = crew.nth(plan.service, plan.victim);
  if (plan.service === 'turn-orchestrator') world.prefer(chosen);
  const { holder } = await holdOne(scene, { tool: plan.held, hold: plan.hold }, config.turns);
  const victim = plan.service === 'tool-executor' ? holder : chosen;
  const silentMs = silentMsOf(config);
  if (isCutOff) crew.links.cut(victim);
  else crew.freeze(victim);
  await sleep(silentMs);
  if (isCutOff) crew.links.heal(victim);
  else crew.thaw(victim);
  ledger.release();
  await stack.waitReady(victim);
  return { silentMs };
}

/** A process stops at its point for longer than its lease lives, others go on without it, and it wakes as a zombie. */
export async function frozenRound(
  scene: Scene,
  plan: Choices & FrozenPlan,
  config: ChaosConfig,
): Promise<Harm> {
  const { crew, ledger, stack } = scene.world;
  const { turns } = config;
  const one = await reach(scene, plan, { ends: 'stands', isAlone: false, turns });
  const silentMs = silentMsOf(config);
  if (one.isHit) {
    if (!one.isStopped) crew.freeze(one.name);
    await one.recover('takeover');
    await sleep(silentMs);
    crew.thaw(one.name);
  }
  ledger.release();
  await one.begun;
  await stack.waitReady(one.name);
  return { isHit: one.isHit, interrupted: one.interrupted, silentMs: one.isHit ? silentMs : 0 };
}
