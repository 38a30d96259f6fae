import { setTimeout as sleep } from 'node:timers/promises';
import type { ChaosConfig } from '../config';
import { chaosLimits } from '../limits';
import type { RoundPlan } from '../plan';
import type { Harm } from './harm';
import { holdOne } from './hold-one';
import type { Scene } from './scene';

type SilentPlan = Extract<RoundPlan, { kind: 'silent' }>;

/** One process says nothing for longer than its lease lives, and comes back: frozen, or alive but unable to renew. */
export async function silenceRound(scene: Scene, plan: SilentPlan, config: ChaosConfig): Promise<Harm> {
  const { world } = scene;
  const { crew, ledger, stack } = world;
  await crew.stand(new Map());
  const chosen = crew.nth(plan.service, plan.victim);
  if (plan.service === 'turn-orchestrator') world.prefer(chosen);
  const { holder } = await holdOne(scene, { tool: plan.held, hold: plan.hold }, config.turns);
  const victim = plan.service === 'tool-executor' ? holder : chosen;
  const silentMs = config.leaseTtlMs * chaosLimits.silentTtls;
  if (plan.how === 'frozen') {
    crew.freeze(victim);
    await sleep(silentMs);
    crew.thaw(victim);
  } else {
    const stream = `lease-${plan.service}.${victim}.`;
    await stack.faults.arm({ on: 'append', stream, eventType: 'LeaseRenewed', do: 'fail_unavailable' });
    await sleep(silentMs);
    await stack.faults.heal();
  }
  ledger.release();
  await stack.waitReady(victim);
  return { hits: [] };
}
