import { setTimeout as sleep } from 'node:timers/promises';
import { connectBus } from '@writ/messaging';
import { systemClock, systemEntropy } from '@writ/service';
import { chaosLimits } from '../limits';
import { stagedRevisionOf } from '../world/record';
import type { Crew, Standing } from '../world/crew';
import { within } from '../world/eventually';
import type { Harm } from './harm';
import { holdOne, type HeldOne } from './hold-one';
import type { KillPlan } from './kill';
import type { Scene } from './scene';

/** A holder dies with a call inside, and then the heir that was taking it over. */
export async function killHeir(
  scene: Scene,
  plan: KillPlan & { readonly point: 'H1' | 'H2' | 'H3' },
  turns: number,
): Promise<Harm> {
  const { crew, stack } = scene.world;
  const { point, recovery } = plan;
  if (point === 'H1') await leaveNoLease(crew);
  // One heir alone: each takes an epoch of the three that a call has (R9).
  const [first = '', second = '', ...spare] = crew.names('tool-executor');
  await crew.stand(
    new Map<string, Standing>([
      ...[first, second].map((name) => [name, { crashAt: point }] as const),
      ...spare.map((name) => [name, 'away'] as const),
    ]),
  );
  // Only what can be read back is read back.
  const tool = point === 'H3' ? 'book' : plan.held;
  const one = await holdOne(scene, { tool, hold: plan.hold }, turns);
  if (point === 'H1') await makeHeirEndTheLease(scene, one);
  else await crew.kill(one.holder);
  const heir = await within(chaosLimits.passMs * 2, () =>
    [first, second].find((name) => name !== one.holder && crew.diedAt(name, point)),
  );
  const at = performance.now();
  await stack.faults.heal();
  await crew.revive(recovery === 'restart' && heir !== undefined ? heir : (spare[0] ?? one.holder));
  return { hits: heir === undefined ? [] : [point], killed: { at, recovery } };
}

/** What starts ends the lease that its name's last life left, and would die of that: the last lives must have released theirs. */
async function leaveNoLease(crew: Crew): Promise<void> {
  await crew.stand(new Map());
  await crew.stop(...crew.names('tool-executor'));
}

/**
 * The owner, which watches the holder anyway, would be first to end its lease: its append is held, and a doubled wake
 * makes an heir look at the call itself.
 */
async function makeHeirEndTheLease({ world }: Scene, { held, holder, sessionId }: HeldOne): Promise<void> {
  const { crew, stack, store } = world;
  const stagedRevision = await stagedRevisionOf(store, sessionId, held);
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const edge = { log, clock: systemClock, entropy: systemEntropy };
  const bus = connectBus({ url: stack.addresses.nats, name: 'chaos', ...edge });
  await within(chaosLimits.settleMs, () => (bus.connected() ? true : undefined));
  await stack.faults.arm({
    on: 'append',
    stream: 'lease-tool-executor',
    eventType: 'LeaseEnded',
    do: 'hold',
    times: 1,
  });
  await crew.kill(holder);
  const { times, everyMs } = chaosLimits.doubledWakes;
  for (let sent = 0; sent < times && crew.alive('tool-executor').length > 0; sent += 1) {
    await bus.wakeExecutor('default', { version: 1, sessionId, callId: held, stagedRevision });
    await sleep(everyMs);
  }
  await bus.close();
}
