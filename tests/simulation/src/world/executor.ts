import { CallExecutor, publishManifest, runtimeLimits } from '@writ/runtime';
import { pool, publishedTools, toolsByName } from '../workload/tools';
import { SimToolHost } from './tool-host';
import { instanceOf, newProcess, startProcess, type Place, type Started } from './start-process';
import type { SimProcess } from './sim-process';
import type { World } from './world';

const slots = 3;

/** An executor as its `main` composes it, with its tools in a simulated host outside the process. */
export class SimExecutor {
  readonly started: Started;
  readonly toolHost: SimProcess;

  constructor(world: World, place: Place) {
    this.toolHost = newProcess(world, place, `${place.name}/tools`);
    this.started = startProcess(world, place, this.toolHost);
    const { edge, bus, process } = this.started;
    const { scheduler, faults, outside } = world;
    const host = new SimToolHost(
      { scheduler, faults, outside, process: this.toolHost, tools: toolsByName },
      process,
    );
    // End of file on its pipe: the host hears of it a moment later (R10).
    process.onDeath(() => void scheduler.after(faults.whole(0, 30), () => this.toolHost.kill()));
    const instance = instanceOf(this.started, {
      extra: { pool, slots },
      onExtended: (until) => host.extend(until),
      onLost: () => void host.killAll('stop'),
      onLeaseEnded: () => undefined,
    });
    const { lease, watch } = instance;
    const executor = new CallExecutor(
      { ...edge, bus, lease, watch, runner: host },
      { pool, slots, tools: toolsByName },
    );
    bus.onCancel(({ callId, reason }) => executor.cancel(callId, reason));
    instance.start();
    void this.#publish(async () => {
      if (lease.instance === undefined) return false;
      return publishManifest(edge, { pool, tools: publishedTools }, instance.context());
    });
    bus.consumeExecute(pool, { free: () => executor.free(), handle: (wake) => executor.handle(wake) });
  }

  async #publish(once: () => Promise<boolean>): Promise<void> {
    const { clock } = this.started.edge;
    while (!this.started.process.isDead && !(await once())) await clock.sleep(runtimeLimits.enterEveryMs);
  }
}
