import { setTimeout as sleep } from 'node:timers/promises';
import type { ChaosConfig } from '../config';
import { chaosLimits } from '../limits';
import type { RoundPlan } from '../plan';
import { within } from '../world/eventually';
import type { Harm } from './harm';
import { holdOne } from './hold-one';
import type { Scene } from './scene';

type StorePlan = Extract<RoundPlan, { kind: 'store' }>;
type BrokerPlan = Extract<RoundPlan, { kind: 'broker' }>;

/** The store does wrong what it is asked, once or twice, and is healed. */
export async function storeRound(scene: Scene, plan: StorePlan, { turns }: ChaosConfig): Promise<Harm> {
  const { crew, stack } = scene.world;
  await crew.stand(new Map());
  const { on, fault, eventType, times } = plan;
  await stack.faults.arm({
    on,
    do: fault,
    times,
    ...(on === 'append' ? { eventType } : {}),
    ...(fault === 'delay' ? { ms: chaosLimits.delayMs } : {}),
  });
  const beginning = scene.beginMany(turns);
  const restarted =
    on === 'subscribe' ? restart(scene, crew.nth('turn-orchestrator', plan.victim)) : undefined;
  const hits = async (): Promise<number> =>
    [...(await stack.faults.hits()).values()].reduce((a, b) => a + b, 0);
  await within(chaosLimits.passMs, async () => ((await hits()) > 0 ? true : undefined));
  await sleep(chaosLimits.outageMs);
  const faultHits = await hits();
  await stack.faults.heal();
  await Promise.all([beginning, restarted]);
  return { hits: [], faultHits };
}

/** Who subscribes is who starts. */
async function restart({ world: { crew } }: Scene, name: string): Promise<void> {
  await crew.kill(name);
  await crew.revive(name);
}

/** The broker dies with calls under way and comes back after a while. */
export async function brokerRound(scene: Scene, plan: BrokerPlan, { turns }: ChaosConfig): Promise<Harm> {
  const { crew, ledger, stack } = scene.world;
  await crew.stand(new Map());
  await holdOne(scene, { tool: plan.held, hold: plan.hold }, turns);
  await stack.kill('nats-server');
  const more = scene.beginMany(1);
  await sleep(chaosLimits.outageMs);
  ledger.release();
  await stack.start('nats-server');
  await more;
  return { hits: [] };
}
