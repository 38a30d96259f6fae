import { openSessions } from '@writ/protocol';
import {
  openSession,
  runtimeLimits,
  Sessions,
  ToolCatalog,
  workProjection,
  type Instance,
  type ProjectionRunner,
  type Refused,
} from '@writ/runtime';
import type { WorkState } from '@writ/contracts';
import type { ModelPort } from './model-port';
import { rules } from '../workload/tools';
import { instanceOf, startProcess, type Place, type Started } from './start-process';
import type { World } from './world';

/** An orchestrator as its `main` composes it, without HTTP and Nest. */
export class SimOrchestrator {
  readonly started: Started;
  readonly sessions: Sessions;
  readonly #instance: Instance;
  readonly #work: ProjectionRunner<WorkState>;
  readonly #catalog: ToolCatalog;
  #stopping = false;
  #recovering: Promise<void> | undefined;
  readonly #open: () => Promise<{ readonly sessionId: string } | Refused>;

  constructor(world: World, place: Place, model: ModelPort) {
    this.started = startProcess(world, place);
    const { edge, bus, process } = this.started;
    const instance = instanceOf(world, this.started, {
      onLost: () => this.sessions.lookAgain(),
      onLeaseEnded: () => this.sessions.lookAgain(),
    });
    const catalog = new ToolCatalog(edge.store, edge.log);
    const work = workProjection({
      ...edge,
      file: place.file,
      onChange: (event) => this.sessions.committed(event),
    });
    this.#instance = instance;
    this.#work = work;
    this.#catalog = catalog;
    const { lease, watch } = instance;
    const ports = { ...edge, bus, model: model(process), lease, watch, catalog };
    this.sessions = new Sessions(ports, rules);
    this.#open = () => {
      const { actor } = instance.context();
      return openSession(ports, rules, { request: {}, context: { actor } });
    };
    bus.onNotice((notice) => this.sessions.notice(notice));
    instance.start();
    work.start();
    this.#recovering = this.#recover(async () => {
      await edge.clock.sleep(runtimeLimits.recoveryEveryMs);
      if (work.upToDate && lease.instance !== undefined)
        await this.sessions.recover(openSessions(work.current));
    });
  }

  openSession(): Promise<{ readonly sessionId: string } | Refused> {
    return this.#open();
  }

  /** What its `main` does at SIGTERM, in that order. */
  async stop(): Promise<void> {
    this.#stopping = true;
    await this.#recovering;
    await this.sessions.stop();
    await Promise.all([this.#work.close(), this.#catalog.close()]);
    await this.#instance.end();
  }

  async #recover(once: () => Promise<void>): Promise<void> {
    while (!this.#stopping && !this.started.process.isDead) await once();
  }
}
