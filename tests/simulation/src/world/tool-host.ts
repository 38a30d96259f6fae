import { watchdogResult, ToolAttempt, type HostPorts } from './tool-attempt';
import type {
  CheckAnswer,
  KillReason,
  ReadbackAnswer,
  ToolRequest,
  ToolRun,
  ToolRunner,
} from '@writ/runtime';
import type { Timer } from './scheduler';
import type { SimProcess } from './sim-process';

/**
 * Where the tools of one executor run: a process of its own, which judges the lease by itself, dies shortly after its
 * executor, and may be frozen with it or apart from it (R10, protocol 7).
 */
export class SimToolHost implements ToolRunner {
  readonly #running = new Set<ToolAttempt>();
  #aliveUntil: number | undefined;
  #resting = false;
  #watch: Timer | undefined;

  constructor(
    private readonly ports: HostPorts,
    private readonly owner: SimProcess,
  ) {
    ports.process.onDeath(() => this.#running.clear());
  }

  run(request: ToolRequest): ToolRun {
    this.#resting = false;
    if (this.owner.isDead) return { result: new Promise(() => undefined), kill: () => undefined };
    if (this.owner.isFrozen) return this.#runAtThaw(request);
    if (!this.#stands()) return { result: this.owner.answer(watchdogResult), kill: () => undefined };
    const attempt = new ToolAttempt(this.ports, request);
    this.#running.add(attempt);
    const result = attempt.result.finally(() => this.#running.delete(attempt));
    return {
      result: this.owner.answer(result),
      kill: (reason) => {
        if (!this.owner.isDead) attempt.kill(reason);
      },
    };
  }

  /** What an executor that stands still half way has not asked yet. */
  #runAtThaw(request: ToolRequest): ToolRun {
    const asked = this.owner.leave().then(() => this.run(request));
    return {
      result: asked.then((run) => run.result),
      kill: (reason) => void asked.then((run) => run.kill(reason)),
    };
  }

  async check(_request: ToolRequest): Promise<CheckAnswer> {
    const { scheduler, faults } = this.ports;
    if (this.owner.isDead) return this.owner.answer<CheckAnswer>({ ok: true });
    await this.owner.leave();
    if (!this.#stands())
      return this.owner.answer<CheckAnswer>({ ok: false, refuse: 'no lease', notNow: true });
    await scheduler.sleep(faults.whole(1, 20));
    return this.owner.answer<CheckAnswer>(
      faults.hits('checkRefuses') ? { ok: false, refuse: 'the tool says no' } : { ok: true },
    );
  }

  async readback({ idempotencyKey, epoch, tool }: ToolRequest): Promise<ReadbackAnswer> {
    const { scheduler, faults, outside, tools } = this.ports;
    await this.owner.leave();
    if (!this.#stands())
      return this.owner.answer<ReadbackAnswer>({ effect: 'unknown', evidence: null, unanswered: true });
    await scheduler.sleep(faults.whole(1, 60));
    if (this.owner.isDead) return new Promise(() => undefined);
    if (tools.get(tool)?.fenced === true) outside.fence(idempotencyKey, epoch);
    const effect = faults.hits('readbackUnsure')
      ? 'unknown'
      : outside.isApplied(idempotencyKey)
        ? 'applied'
        : 'not_applied';
    return this.owner.answer<ReadbackAnswer>({
      effect,
      evidence: { effect },
      ...(effect === 'applied' ? { result: [{ type: 'text' as const, text: 'read back' }] } : {}),
    });
  }

  extend(aliveUntilMonotonicMs: number): void {
    if (this.owner.isDead) return;
    this.ports.process.hear(() => this.#extended(aliveUntilMonotonicMs));
  }

  rest(): void {
    this.#resting = true;
  }

  async killAll(reason: KillReason): Promise<void> {
    if (this.owner.isDead) return;
    const ends = [...this.#running].map((attempt) => {
      attempt.kill(reason);
      return attempt.result;
    });
    await this.owner.answer(Promise.all(ends));
  }

  #stands(): boolean {
    return this.#aliveUntil !== undefined && this.ports.process.clock.monotonicMs() < this.#aliveUntil;
  }

  #extended(until: number): void {
    const { scheduler, process } = this.ports;
    const nowMs = process.clock.monotonicMs();
    if (until <= nowMs || (this.#aliveUntil !== undefined && until <= this.#aliveUntil)) return;
    this.#aliveUntil = until;
    if (this.#watch !== undefined) scheduler.cancel(this.#watch);
    this.#watch = scheduler.after(until - nowMs, () => process.hear(() => this.#look()));
  }

  #look(): void {
    if (this.#stands()) return;
    this.#aliveUntil = undefined;
    if (this.#resting) return;
    for (const attempt of this.#running) attempt.kill('watchdog');
  }
}
