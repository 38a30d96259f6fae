import { setTimeout as sleep } from 'node:timers/promises';
import type { ChaosConfig } from '../config';
import { chaosLimits } from '../limits';
import type { BrokerPlan, Choices, StorePlan } from '../plans';
import { withFault } from './disturbance';
import type { Harm } from './harm';
import { holdOne } from './hold-one';
import type { Scene } from './scene';

/** Turns run while the store does wrong what it is asked. */
export async function storeRound(
  scene: Scene,
  plan: Choices & StorePlan,
  { turns }: ChaosConfig,
): Promise<Harm> {
  const { crew } = scene.world;
  await crew.stand(new Map());
  const faultHits = await withFault(scene, plan, async () => {
    const begun = scene.beginMany(turns);
    if (plan.on === 'subscribe') await restart(scene, crew.nth('turn-orchestrator', plan.victim));
    await begun;
  });
  return { faultHits };
}

/** Who subscribes is who starts. */
async function restart({ world: { crew } }: Scene, name: string): Promise<void> {
  await crew.kill(name);
  await crew.revive(name);
}

/** The broker dies or stands still with calls under way, and is there again after a while. */
export async function brokerRound(
  scene: Scene,
  plan: Choices & BrokerPlan,
  { turns }: ChaosConfig,
): Promise<Harm> {
  const { crew, ledger, stack } = scene.world;
  await crew.stand(new Map());
  await holdOne(scene, { tool: plan.held, hold: plan.hold }, turns);
  if (plan.how === 'killed') await stack.kill('nats-server');
  else stack.signal('nats-server', 'SIGSTOP');
  const more = scene.beginMany(1);
  await sleep(chaosLimits.outageMs);
  ledger.release();
  if (plan.how === 'killed') await stack.start('nats-server');
  else stack.signal('nats-server', 'SIGCONT');
  await more;
  return {};
}
