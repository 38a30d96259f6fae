import type { Service } from '@writ/contracts';
import type { StateFile } from '@writ/runtime';
import { SimApprovals } from './approval-desk';
import { SimExecutor } from './executor';
import type { ModelPort } from './model-port';
import { SimOrchestrator } from './orchestrator';
import type { Place } from './start-process';
import type { World } from './world';

type Member = SimOrchestrator | SimExecutor | SimApprovals;

/** Every place of the run and the process that runs there now. A dead one is started again after a while, as a supervisor does. */
export class Fleet {
  readonly #places: readonly Place[];
  readonly #members = new Map<Place, Member>();

  constructor(
    private readonly world: World,
    private readonly model: ModelPort,
  ) {
    const random = world.random.fork('fleet');
    const hosts = random.chance(0.6) ? 1 : 3;
    const skewed = random.chance(0.5) ? 0 : 1_500;
    const place = (service: Service, name: string): Place => {
      const host = `host-${random.whole(1, hosts)}`;
      const skewMs = random.whole(-skewed, skewed);
      return {
        service,
        name,
        host,
        skewMs,
        monotonicFromMs: 1e6 * host.length,
        file: memoryFile(),
        starts: 0,
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
    return [...this.#members.values()];
  }

  orchestrators(): readonly SimOrchestrator[] {
    return this.members.filter((member) => member instanceof SimOrchestrator);
  }

  approvals(): readonly SimApprovals[] {
    return this.members.filter((member) => member instanceof SimApprovals);
  }

  /** Faults end: who is frozen goes on, who is cut off is connected again, who is dead is started soon anyway. */
  heal(): void {
    for (const member of this.members) {
      const { process, disk } = member.started;
      process.thaw();
      if (member instanceof SimExecutor) member.toolHost.thaw();
      if (!process.isDead) disk.setCut(false);
    }
  }

  #start(place: Place): void {
    const { world } = this;
    const member = this.#composed(place);
    this.#members.set(place, member);
    const { process } = member.started;
    world.trace.say(process.label, 'process_started', { host: place.host });
    process.onDeath(() => {
      const soonMs = world.faults.isCalm ? 500 : world.faults.whole(100, 7_000);
      world.scheduler.after(soonMs, () => this.#start(place));
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
