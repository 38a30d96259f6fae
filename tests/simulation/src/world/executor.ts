import { CallExecutor, publishManifest, runtimeLimits, type Consumption, type Instance } from '@writ/runtime';
import { pool, publishedTools, toolsByName } from '../workload/tools';
import { SimToolHost } from './tool-host';
import { instanceOf, newProcess, startProcess, strike, type Place, type Started } from './start-process';
import type { SimProcess } from './sim-process';
import { witnessedRunner, witnessedStore } from './witness';
import type { World } from './world';

const slots = 3;

/** An executor as its `main` composes it, with its tools in a simulated host outside the process. */
export class SimExecutor {
  readonly started: Started;
  readonly toolHost: SimProcess;
  readonly #executor: CallExecutor;
  readonly #instance: Instance;
  readonly #consumption: Consumption;

  constructor(world: World, place: Place) {
    this.toolHost = newProcess(world, place, `${place.label}/tools`);
    this.started = startProcess(world, place, this.toolHost);
    const { edge, bus, process } = this.started;
    const { scheduler, faults, outside, hunt } = world;
    const host = new SimToolHost(
      {
        ...{ scheduler, faults, outside, hunt, tools: toolsByName },
        process: this.toolHost,
        crash: edge.crash,
        holder: () => this.#instance.lease.instance,
        struck: (blow) => {
          world.trace.say(process.label, 'HUNTED', { blow });
          faults.note(`hunt_${blow}`);
          strike(world, { process, group: this.toolHost }, blow);
        },
      },
      process,
    );
    // End of file on its pipe: the host hears of it a moment later (R10).
    process.onDeath(() => {
      world.losses.push(world.log.events.length);
      scheduler.after(faults.whole(0, 30), () => this.toolHost.kill());
    });
    const instance = instanceOf(world, this.started, {
      extra: { pool, slots },
      onExtended: (until) => host.extend(until),
      onLost: () => void host.killAll('stop'),
      onLeaseEnded: () => undefined,
    });
    const { lease, watch } = instance;
    const store = witnessedStore(edge.store, world, process.label);
    const executor = new CallExecutor(
      { ...edge, store, bus, lease, watch, runner: witnessedRunner(host, world, process.label) },
      { pool, slots, tools: toolsByName },
    );
    bus.onCancel(({ callId, reason }) => executor.cancel(callId, reason));
    instance.start();
    void this.#publish(async () => {
      if (lease.instance === undefined) return false;
      return publishManifest(edge, { pool, tools: publishedTools }, instance.context());
    });
    this.#executor = executor;
    this.#instance = instance;
    this.#consumption = bus.consumeExecute(pool, {
      free: () => executor.free(),
      handle: (wake) => executor.handle(wake),
    });
  }

  /** What its `main` does at SIGTERM, in that order; the caller then ends the process. */
  async stop(): Promise<void> {
    await this.#executor.stop();
    await this.#consumption.drain(runtimeLimits.drainToolsMs);
    await this.#instance.end();
  }

  async #publish(once: () => Promise<boolean>): Promise<void> {
    const { clock } = this.started.edge;
    while (!this.started.process.isDead && !(await once())) await clock.sleep(runtimeLimits.enterEveryMs);
  }
}
