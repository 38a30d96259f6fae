import { setTimeout as sleep } from 'node:timers/promises';
import { chaosLimits } from '../limits';
import type { Disturbance, StoreFaultPlan } from '../plans';
import { within } from '../world/eventually';
import type { Scene } from './scene';

/** Does what is to be done while a fault of the store acts, or while there is no broker; answers how often the fault acted. */
export async function disturbed(
  scene: Scene,
  during: Disturbance | undefined,
  act: () => Promise<unknown>,
): Promise<number> {
  if (during !== undefined && during !== 'no_broker') return withFault(scene, during, act);
  const { stack } = scene.world;
  if (during === 'no_broker') await stack.kill('nats-server');
  const acting = act();
  if (during === 'no_broker') {
    await sleep(chaosLimits.outageMs);
    await stack.start('nats-server');
  }
  await acting;
  return 0;
}

/** The store does wrong what it is asked, once or twice, and is healed. */
export async function withFault(
  { world: { stack } }: Scene,
  { fault, on, eventType, times }: StoreFaultPlan,
  act: () => Promise<unknown>,
): Promise<number> {
  await stack.faults.arm({
    on,
    do: fault,
    times,
    ...(on === 'append' && eventType !== undefined ? { eventType } : {}),
    ...(fault === 'delay' ? { ms: chaosLimits.delayMs } : {}),
  });
  const acting = act();
  const hits = async (): Promise<number> =>
    [...(await stack.faults.hits()).values()].reduce((sum, each) => sum + each, 0);
  const actsWithin = (ms: number) => within(ms, async () => ((await hits()) > 0 ? true : undefined));
  await Promise.race([actsWithin(chaosLimits.settleMs), acting.then(() => actsWithin(chaosLimits.passMs))]);
  await sleep(chaosLimits.outageMs);
  const acted = await hits();
  await stack.faults.heal();
  await acting;
  return acted;
}
