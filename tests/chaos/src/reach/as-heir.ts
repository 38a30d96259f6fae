import { setTimeout as sleep } from 'node:timers/promises';
import { connectBus } from '@writ/messaging';
import { systemClock, systemEntropy } from '@writ/service';
import { chaosLimits } from '../limits';
import { holdOne, type HeldOne } from '../rounds/hold-one';
import type { Scene } from '../rounds/scene';
import { stagedRevisionOf } from '../world/record';
import { crashAtOf, type Crew, type Standing } from '../world/crew';
import { within } from '../world/eventually';
import type { Reached, Standpoint, Ways } from './reached';

/** A holder dies with a call inside, and then the heir that was taking it over comes to its point. */
export async function reachAsHeir(
  scene: Scene,
  at: Standpoint & { readonly point: 'H1' | 'H2' | 'H3' },
  { ends, turns }: Ways,
): Promise<Reached> {
  const { crew, stack } = scene.world;
  const { point } = at;
  if (point === 'H1') await leaveNoLease(crew);
  // One heir alone: each takes an epoch of the three that a call has (R9).
  const [first = '', second = '', ...spare] = crew.names('tool-executor');
  const crashAt = crashAtOf(point, ends);
  await crew.stand(
    new Map<string, Standing>([
      ...[first, second].map((name) => [name, { crashAt }] as const),
      ...spare.map((name) => [name, 'away'] as const),
    ]),
  );
  // Only what can be read back is read back.
  const tool = point === 'H3' ? 'book' : at.held;
  const one = await holdOne(scene, { tool, hold: at.hold }, turns);
  const name = one.holder === first ? second : first;
  const isThere = (): boolean => crew.isAt(name, point, ends);
  if (point === 'H1') await makeHeirEndTheLease(scene, one, isThere);
  else await crew.kill(one.holder);
  const isHit = await within(chaosLimits.passMs * 2, () => (isThere() ? true : undefined));
  await stack.faults.heal();
  const isStopped = isHit === true && ends === 'stands';
  if (isStopped) crew.stopped(name);
  return {
    name,
    isHit: isHit === true,
    isStopped,
    at: performance.now(),
    interrupted: [],
    begun: Promise.resolve(),
    recover: (recovery) => crew.revive(recovery === 'restart' ? name : (spare[0] ?? one.holder)),
  };
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
async function makeHeirEndTheLease(
  { world }: Scene,
  { held, holder, sessionId }: HeldOne,
  isThere: () => boolean,
): Promise<void> {
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
  for (let sent = 0; sent < times && !isThere(); sent += 1) {
    await bus.wakeExecutor('default', { version: 1, sessionId, callId: held, stagedRevision });
    await sleep(everyMs);
  }
  await bus.close();
}
