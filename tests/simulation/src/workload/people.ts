import type { Fleet } from '../world/fleet';
import type { World } from '../world/world';

/** Approvers: each looks at some list now and then and decides, often about the same call at the same time. */
export function startPeople(world: World, fleet: Fleet): void {
  const count = world.random.fork('people').whole(1, 3);
  for (let nth = 1; nth <= count; nth += 1) void person(world, fleet, `person-${nth}`);
}

async function person(world: World, fleet: Fleet, name: string): Promise<void> {
  const random = world.random.fork(name);
  const slow = random.chance(0.3);
  for (;;) {
    await world.scheduler.sleep(slow ? random.whole(3_000, 9_000) : random.whole(200, 2_500));
    const desks = fleet.approvals().filter(({ started }) => started.process.isRunning);
    const desk = desks[random.whole(0, Math.max(0, desks.length - 1))];
    const waiting = desk?.pending() ?? [];
    const call = waiting[random.whole(0, Math.max(0, waiting.length - 1))];
    if (desk === undefined || call === undefined) continue;
    const answer = random.chance(0.7) ? 'grant' : 'deny';
    world.trace.say(name, 'decides', { callId: call.callId, answer });
    void desk.decide(call, name, answer);
  }
}
