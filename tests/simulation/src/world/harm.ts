import { SimExecutor } from './executor';
import type { Fleet, Member } from './fleet';
import { simulationLimits } from '../limits';
import type { Random } from './random';
import type { World } from './world';

/** One misfortune: what it does to some member at its moment. It is told how long it lasts where it ends by itself. */
interface Harm {
  readonly name: string;
  /** How often in one seed: drawn from none to this, or with this chance once. */
  readonly times: { readonly most: number } | { readonly chance: number };
  strikes(scene: Scene): void;
}

interface Scene {
  readonly world: World;
  readonly fleet: Fleet;
  readonly random: Random;
  readonly victim: Member;
}

/** What befalls processes and the broker from outside, at drawn moments of the safety phase. */
export function planHarm(world: World, fleet: Fleet, safetyMs: number): void {
  const random = world.random.fork('harm');
  let planned = 0;
  for (const harm of harms) {
    const { times } = harm;
    const count = 'most' in times ? random.whole(0, times.most) : random.chance(times.chance) ? 1 : 0;
    for (let nth = 0; nth < count; nth += 1) plan(harm);
  }
  while (planned < simulationLimits.least.faults) plan(kill);

  function plan(harm: Harm): void {
    planned += 1;
    const drawn = random.fork(`${harm.name}/${planned}`);
    world.scheduler.after(random.whole(500, safetyMs), () => {
      const there = fleet.members.filter(({ started }) => started.process.isRunning);
      const victim = there[Math.floor(drawn.next() * there.length)];
      if (victim === undefined || world.faults.isCalm) return;
      world.faults.note(harm.name);
      world.trace.say(victim.started.process.label, harm.name.toUpperCase());
      harm.strikes({ world, fleet, random: drawn, victim });
    });
  }
}

const kill: Harm = {
  name: 'kill',
  times: { most: 3 },
  strikes: ({ victim }) => victim.started.process.kill(),
};

/** For less than a TTL, or for long enough that it wakes as a zombie. */
const stillMs = (random: Random): number =>
  random.chance(0.5) ? random.whole(200, 4_000) : random.whole(4_000, 12_000);

const freeze: Harm = {
  name: 'freeze',
  times: { most: 2 },
  strikes: ({ world, random, victim }) => {
    const { process } = victim.started;
    process.freeze();
    world.scheduler.after(stillMs(random), () => process.thaw());
  },
};

const freezeGroup: Harm = {
  name: 'freeze_group',
  times: { chance: 0.4 },
  strikes: ({ world, fleet, random, victim }) => {
    const executors = fleet.executors().filter(({ started }) => started.process.isRunning);
    const executor = victim instanceof SimExecutor ? victim : executors[0];
    if (executor === undefined) return;
    const group = [executor.started.process, executor.toolHost];
    for (const one of group) one.freeze();
    // Which of the two is scheduled first is anybody's guess.
    if (random.chance(0.5)) group.reverse();
    world.scheduler.after(stillMs(random), () => {
      for (const one of group) one.thaw();
    });
  },
};

const cutOff = (name: string, { store, bus }: { store: boolean; bus: boolean }): Harm => ({
  name,
  times: { chance: 0.35 },
  strikes: ({ world, random, victim }) => {
    const { process, disk, bus: wire } = victim.started;
    const set = (cut: boolean): void => {
      if (store) disk.setCut(cut);
      if (bus) wire.setCut(cut);
    };
    set(true);
    world.scheduler.after(random.whole(300, 12_000), () => {
      if (!process.isDead) set(false);
    });
  },
});

const brokerOutage: Harm = {
  name: 'broker_outage',
  times: { chance: 0.3 },
  strikes: ({ world, random }) => {
    const storage = random.chance(0.5) ? ('kept' as const) : ('empty' as const);
    world.broker.stop();
    world.scheduler.after(random.whole(500, 8_000), () => world.broker.start(storage));
  },
};

/** SIGTERM while it is at work; a supervisor that has lost patience kills it. */
const drain: Harm = {
  name: 'drain',
  times: { chance: 0.5 },
  strikes: ({ world, random, victim }) => {
    const { process } = victim.started;
    void victim.stop().then(() => {
      if (process.isDead) return;
      world.note('drained to its end');
      process.kill();
    });
    world.scheduler.after(random.whole(3_000, 12_000), () => process.kill());
  },
};

const clone: Harm = {
  name: 'clone',
  times: { chance: 0.4 },
  strikes: ({ fleet, random, victim }) => {
    const renewing = [...fleet.executors(), ...fleet.orchestrators()];
    fleet.startClone(renewing[random.whole(0, renewing.length - 1)] ?? victim);
  },
};

const poolGone: Harm = {
  name: 'pool_gone',
  times: { chance: 0.12 },
  strikes: ({ fleet, random }) => {
    const { leastMs, mostMs } = simulationLimits.poolGone;
    fleet.takeAwayExecutors(random.whole(leastMs, mostMs));
  },
};

const clockStep: Harm = {
  name: 'clock_step',
  times: { chance: 0.3 },
  strikes: ({ fleet, random, victim }) => fleet.stepWall(random.whole(-10_000, 10_000), victim),
};

const harms: readonly Harm[] = [
  kill,
  freeze,
  freezeGroup,
  cutOff('cut_store', { store: true, bus: false }),
  cutOff('cut_bus', { store: false, bus: true }),
  cutOff('cut_both', { store: true, bus: true }),
  brokerOutage,
  drain,
  clone,
  poolGone,
  clockStep,
];
