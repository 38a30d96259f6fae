import type { Service } from '@writ/contracts';
import type { StateFile } from '@writ/runtime';
import { SimApprovals } from './approval-desk';
import { SimExecutor } from './executor';
import type { Random } from './random';
import type { ModelPort } from './model-port';
import { SimOrchestrator } from './orchestrator';
import type { Place } from './start-process';
import type { World } from './world';

export type Member = SimOrchestrator | SimExecutor | SimApprovals;

/** Every place of the run and the process that runs there now. A dead one is started again after a while, as a supervisor does. */
export class Fleet {
  readonly #places: readonly Place[];
  readonly #members = new Map<Place, Member>();
  readonly #clones = new Set<Member>();

  constructor(
    private readonly world: World,
    private readonly model: ModelPort,
  ) {
    const random = world.random.fork('fleet');
    const hosts = random.chance(0.6) ? 1 : 3;
    const skewed = world.withFaults ? skewOf(random) : 0;
    if (skewed > 0) world.faults.note('clock_skew');
    const place = (service: Service, name: string): Place => {
      const host = `host-${random.whole(1, hosts)}`;
      const skewMs = random.whole(-skewed, skewed);
      return {
        service,
        name,
        label: name,
        host,
        skewMs,
        monotonicFromMs: 1e6 * host.length,
        file: memoryFile(),
        starts: 0,
        awayUntilMs: 0,
      };
    };
    this.#places = [
      place('turn-orchestrator', 'orc-1'),
      place('turn-orchestrator', 'orc-2'),
      place('tool-executor', 'exe-1'),
      place('tool-executor', 'exe-2'),
      place('approval-service', 'apr-1'),
      ...(random.chance(0.5) ? [place('approval-service', 'apr-2')] : []),
    ];
  }

  startAll(): void {
    for (const place of this.#places) this.#start(place);
  }

  get members(): readonly Member[] {
    return [...this.#members.values(), ...this.#clones];
  }

  executors(): readonly SimExecutor[] {
    return this.members.filter((member) => member instanceof SimExecutor);
  }

  orchestrators(): readonly SimOrchestrator[] {
    return this.members.filter((member) => member instanceof SimOrchestrator);
  }

  approvals(): readonly SimApprovals[] {
    return this.members.filter((member) => member instanceof SimApprovals);
  }

  /** A second process under the name of a first, on its host or on another, that nobody starts again. */
  startClone(of: Member): void {
    const { place } = of.started;
    const { faults } = this.world;
    const host = faults.chance(0.5) ? place.host : 'host-of-clones';
    const label = `${place.label}-clone-${this.#clones.size + 1}`;
    const clone = this.#composed({ ...place, label, host, file: memoryFile(), starts: 0 });
    this.#clones.add(clone);
    const { process } = clone.started;
    this.world.trace.say(process.label, 'clone_started', { host });
    process.onDeath(() => this.#clones.delete(clone));
  }

  /** Nobody starts a process of this pool's executors for a while. */
  takeAwayExecutors(forMs: number): void {
    const untilMs = this.world.scheduler.nowMs + forMs;
    for (const { started, toolHost } of this.executors()) {
      started.place.awayUntilMs = untilMs;
      toolHost.kill();
      started.process.kill();
    }
    for (const place of this.#places) if (place.service === 'tool-executor') place.awayUntilMs = untilMs;
  }

  /** Somebody sets the wall clock of one process's machine, or of all. */
  stepWall(ms: number, only?: Member): void {
    for (const member of only === undefined ? this.members : [only]) {
      member.started.process.stepWall(ms);
      if (member instanceof SimExecutor) member.toolHost.stepWall(ms);
    }
    for (const place of this.#places)
      if (only === undefined || only.started.place === place) place.skewMs += ms;
  }

  /** Faults end: who is frozen goes on, who is cut off is connected again, clones go, who is dead is started soon anyway. */
  heal(): void {
    for (const member of this.members) {
      const { process, disk, bus } = member.started;
      process.thaw();
      if (member instanceof SimExecutor) member.toolHost.thaw();
      if (process.isDead) continue;
      disk.setCut(false);
      bus.setCut(false);
    }
    for (const { started } of this.#clones) started.process.kill();
  }

  #start(place: Place): void {
    const { world } = this;
    const member = this.#composed(place);
    this.#members.set(place, member);
    const { process } = member.started;
    world.trace.say(process.label, 'process_started', { host: place.host });
    process.onDeath(() => {
      const soonMs = world.faults.isCalm ? 500 : world.faults.whole(100, 7_000);
      const { nowMs } = world.scheduler;
      world.scheduler.after(Math.max(soonMs, place.awayUntilMs - nowMs), () => this.#start(place));
    });
  }

  #composed(place: Place): Member {
    switch (place.service) {
      case 'turn-orchestrator':
        return new SimOrchestrator(this.world, place, this.model);
      case 'tool-executor':
        return new SimExecutor(this.world, place);
      case 'approval-service':
        return new SimApprovals(this.world, place);
    }
  }
}

/** How far wall clocks are off at most, in ms. */
function skewOf(random: Random): number {
  if (random.chance(0.5)) return 0;
  return random.chance(0.7) ? 1_500 : 15_000;
}

function memoryFile(): StateFile {
  let saved: unknown;
  return {
    // States are never changed in place, so that the file may be written when somebody reads it.
    load: () => Promise.resolve<unknown>(saved === undefined ? undefined : JSON.parse(JSON.stringify(saved))),
    save: (value) => {
      saved = value;
      return Promise.resolve();
    },
  };
}
