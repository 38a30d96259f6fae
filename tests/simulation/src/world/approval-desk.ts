import { pendingApprovals, type CallAt } from '@writ/protocol';
import { Approvals, runtimeLimits, workProjection, type ProjectionRunner } from '@writ/runtime';
import type { WorkState } from '@writ/contracts';
import { instanceOf, startProcess, type Place, type Started } from './start-process';
import type { World } from './world';

/** The approval-service as its `main` and desk compose it, without HTTP and Nest. */
export class SimApprovals {
  readonly started: Started;
  readonly #approvals: Approvals;
  readonly #work: ProjectionRunner<WorkState>;

  constructor(world: World, place: Place) {
    this.started = startProcess(world, place);
    const { edge, bus } = this.started;
    const instance = instanceOf(this.started, { onLost: () => undefined, onLeaseEnded: () => undefined });
    this.#work = workProjection({ ...edge, file: place.file });
    this.#approvals = new Approvals({ ...edge, bus, context: () => instance.context() });
    bus.consumeApprovals({
      free: () => runtimeLimits.attendedAtOnce,
      handle: async (wake) => {
        const state = await this.#approvals.attend(wake);
        return state === undefined ? { verdict: 'nak', delayMs: runtimeLimits.laterMs } : { verdict: 'ack' };
      },
    });
    instance.start();
    this.#work.start();
    void this.#attend();
  }

  pending(): readonly CallAt[] {
    return pendingApprovals(this.#work.current);
  }

  /** One person's answer, as the desk takes it. */
  async decide(call: CallAt, by: string, answer: 'grant' | 'deny'): Promise<void> {
    const { clock, crash } = this.started.edge;
    const state = await this.#approvals.attend(call);
    if (state?.staged.data.verdict !== 'ask') return;
    const decidedAt = new Date(clock.wallMs()).toISOString();
    const { argsDigest } = state.staged.data;
    const given = { answer, argsDigest, decidedAt, by, authentication: 'none' };
    const write = await this.#approvals.decide(state, given);
    if (write.result === 'unresolved' || write.result === 'not_allowed') return;
    crash.pass('P2');
    crash.pass('P3');
    this.#approvals.notice(write.state);
  }

  async #attend(): Promise<void> {
    const { edge, process } = this.started;
    while (!process.isDead) {
      await edge.clock.sleep(runtimeLimits.attendEveryMs);
      if (!this.#work.upToDate) continue;
      for (const call of this.pending()) {
        const deadline = call.asked?.requested?.deadline;
        if (deadline === undefined || Date.parse(deadline) < edge.clock.wallMs())
          await this.#approvals.attend(call);
      }
    }
  }
}
