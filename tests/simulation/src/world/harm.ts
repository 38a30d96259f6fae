import { SimExecutor } from './executor';
import type { Fleet } from './fleet';
import type { Random } from './random';
import type { World } from './world';

/** What befalls processes and the broker from outside, at drawn moments of the safety phase. */
export function planHarm(world: World, fleet: Fleet, safetyMs: number): void {
  const random = world.random.fork('harm');
  const times = { kill: random.whole(0, 3), freeze: random.whole(0, 3), cut: random.whole(0, 2) };
  const short = Math.max(0, 3 - times.kill - times.freeze - times.cut);
  plan(times.kill + short, (at) => kill(world, fleet, random, at));
  plan(times.freeze, (at) => freeze(world, fleet, random, at));
  plan(times.cut, (at) => cut(world, fleet, random, at));
  plan(random.chance(0.3) ? 1 : 0, (at) => brokerOutage(world, random, at));

  function plan(times: number, harm: (atMs: number) => void): void {
    for (let nth = 0; nth < times; nth += 1) harm(random.whole(500, safetyMs));
  }
}

type Harm = (world: World, fleet: Fleet, random: Random, atMs: number) => void;

const memberAt = (fleet: Fleet, random: Random) => {
  const at = random.next();
  return () => fleet.members[Math.floor(at * fleet.members.length)];
};

const kill: Harm = (world, fleet, random, atMs) => {
  const victim = memberAt(fleet, random);
  world.scheduler.after(atMs, () => {
    const process = victim()?.started.process;
    if (process === undefined || process.isDead || world.faults.isCalm) return;
    world.trace.say(process.label, 'KILLED');
    world.faults.note('kill');
    process.kill();
  });
};

const freeze: Harm = (world, fleet, random, atMs) => {
  const victim = memberAt(fleet, random);
  const lastsMs = random.chance(0.5) ? random.whole(200, 4_000) : random.whole(4_000, 12_000);
  const withTools = random.chance(0.5);
  world.scheduler.after(atMs, () => {
    const member = victim();
    if (member === undefined || !member.started.process.isRunning || world.faults.isCalm) return;
    const { process } = member.started;
    const group = withTools && member instanceof SimExecutor ? member.toolHost : undefined;
    world.trace.say(process.label, 'FROZEN', { lastsMs, withTools: group !== undefined });
    world.faults.note(group === undefined ? 'freeze' : 'freeze_group');
    process.freeze();
    group?.freeze();
    world.scheduler.after(lastsMs, () => {
      world.trace.say(process.label, 'THAWED');
      // Which of the two is scheduled first is anybody's guess.
      const order = random.chance(0.5) ? [process, group] : [group, process];
      for (const one of order) one?.thaw();
    });
  });
};

const cut: Harm = (world, fleet, random, atMs) => {
  const victim = memberAt(fleet, random);
  const lastsMs = random.whole(300, 12_000);
  world.scheduler.after(atMs, () => {
    const member = victim();
    if (member === undefined || member.started.process.isDead || world.faults.isCalm) return;
    const { process, disk } = member.started;
    world.trace.say(process.label, 'CUT_OFF', { lastsMs });
    world.faults.note('cut');
    disk.setCut(true);
    world.scheduler.after(lastsMs, () => {
      if (!process.isDead) disk.setCut(false);
    });
  });
};

function brokerOutage(world: World, random: Random, atMs: number): void {
  const lastsMs = random.whole(500, 8_000);
  const storage = random.chance(0.5) ? ('kept' as const) : ('empty' as const);
  world.scheduler.after(atMs, () => {
    world.trace.say('broker', 'STOPPED', { lastsMs, storage });
    world.faults.note('broker_outage');
    world.broker.stop();
    world.scheduler.after(lastsMs, () => world.broker.start(storage));
  });
}
