import {
  ApprovalDesk,
  ApprovalLists,
  DoubtDesk,
  runtimeLimits,
  workProjection,
  type Instance,
  type ProjectionRunner,
} from '@writ/runtime';
import type { WorkState } from '@writ/contracts';
import { instanceOf, startProcess, type Place, type Started } from './start-process';
import type { World } from './world';

/** The approval-service as its `main` composes it, without HTTP and Nest. */
export class SimApprovals {
  readonly started: Started;
  readonly desk: ApprovalDesk;
  readonly doubts: DoubtDesk;
  readonly lists: ApprovalLists;
  readonly #instance: Instance;
  readonly #work: ProjectionRunner<WorkState>;

  constructor(world: World, place: Place) {
    this.started = startProcess(world, place);
    const { edge, bus } = this.started;
    const instance = instanceOf(world, this.started, {
      onLost: () => undefined,
      onLeaseEnded: () => undefined,
    });
    this.#instance = instance;
    this.#work = workProjection({ ...edge, file: place.file });
    const ports = { ...edge, bus, context: () => instance.context() };
    this.desk = new ApprovalDesk(ports, this.#work);
    this.doubts = new DoubtDesk(ports, this.#work);
    this.lists = new ApprovalLists(edge.store, this.#work);
    bus.consumeApprovals({
      free: () => runtimeLimits.attendedAtOnce,
      handle: (wake) => this.desk.woken(wake),
    });
    instance.start();
    this.#work.start();
    this.desk.start();
  }

  /** What its `main` does at SIGTERM, in that order. */
  async stop(): Promise<void> {
    await this.desk.stop();
    await this.#work.close();
    await this.#instance.end();
  }
}
