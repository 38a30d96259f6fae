import type { EffectClass, PublishedTool } from '@writ/contracts';
import type { CrashPoints, KillReason, RunResult, ToolRequest } from '@writ/runtime';
import type { Hunt } from './hunt';
import type { Blow } from './kill-points';
import type { Begun, Outside } from './outside';
import type { Scheduler } from './scheduler';
import type { SimProcess } from './sim-process';
import type { Faults } from './swarm';

export interface HostPorts {
  readonly scheduler: Scheduler;
  readonly faults: Faults;
  readonly outside: Outside;
  /** The tool host, not its executor. */
  readonly process: SimProcess;
  readonly tools: ReadonlyMap<string, PublishedTool>;
  readonly hunt: Hunt;
  /** Of the executor whose host this is: K4c is passed inside a tool. */
  readonly crash: CrashPoints;
  /** Its executor's incarnation now. */
  holder(): string | undefined;
  /** The hunt has found its prey here. */
  struck(blow: Blow): void;
}

export const watchdogResult: RunResult = { status: 'killed', reason: 'watchdog', neverStarted: true };

/** One run of a tool's code in its own process: it lasts, acts at some moment of that, and may throw, hang or be killed. */
export class ToolAttempt {
  readonly result: Promise<RunResult>;
  #settle: (result: RunResult) => void = () => undefined;
  #begun: Begun | undefined;
  #ended = false;
  readonly #holder: string | undefined;

  constructor(
    private readonly ports: HostPorts,
    private readonly request: ToolRequest,
  ) {
    this.#holder = ports.holder();
    this.result = new Promise((resolve) => {
      this.#settle = resolve;
    });
    ports.outside.expect(request.callId, () => !this.#ended && !ports.process.isDead);
    this.#later(ports.faults.whole(1, 15), () => this.#begin());
    this.#later(request.deadlineMs, () => this.kill('deadline'));
  }

  /** Its processes are gone a moment later, and only then is the result known. */
  kill(reason: KillReason | 'watchdog'): void {
    this.ports.process.hear(() => {
      if (this.#ended) return;
      const neverStarted = this.#begun === undefined ? { neverStarted: true as const } : {};
      this.#end({ status: 'killed', reason, ...neverStarted }, this.ports.faults.whole(1, 10));
    });
  }

  #begin(): void {
    const { faults, outside, tools } = this.ports;
    const { callId, tool: name, idempotencyKey: key, epoch } = this.request;
    const instance = this.#holder;
    const tool = tools.get(name);
    if (tool === undefined)
      return this.#end({ status: 'threw', notApplied: true, message: 'no such tool' }, 0);
    const begun = outside.begin({ callId, tool: name, effectClass: tool.effectClass, key, epoch, instance });
    this.#begun = begun;
    this.#harm(tool.effectClass);
    const lastsMs = faults.hits('toolSlow') ? faults.whole(500, 6_000) : faults.whole(2, 300);
    const hangs = faults.hits('toolHangs');
    const throws = faults.hits('toolThrows');
    const how = faults.whole(0, 3);
    const actsAtMs = faults.whole(0, lastsMs);
    if (throws && how < 2) {
      // A tool that says so speaks of its key: of what an earlier attempt may have done as well.
      const notApplied = how === 0 && !outside.isApplied(key);
      return this.#later(actsAtMs, () => this.#threw(notApplied, 'threw before it acted'));
    }
    if (hangs && how === 3) return;
    this.#later(actsAtMs, () => this.#act(begun, tool));
    if (hangs) return;
    this.#later(lastsMs, () =>
      throws
        ? this.#threw(false, 'threw after it acted')
        : this.#end({ status: 'returned', content: [{ type: 'text', text: `done ${callId}` }] }, 0),
    );
  }

  /** What befalls its executor while it is at work. */
  #harm(effectClass: EffectClass): void {
    const { crash, faults, hunt, struck } = this.ports;
    crash.pass('K4c');
    const blow = faults.isCalm ? undefined : hunt.strikes(this.request, effectClass);
    if (blow !== undefined) this.#later(hunt.delayMs(), () => struck(blow));
  }

  #act(begun: Begun, { effectClass, fenced }: PublishedTool): void {
    if (effectClass === 'read') return;
    if (!this.ports.outside.apply(begun, fenced)) this.#threw(false, 'the target refused');
  }

  #threw(notApplied: boolean, message: string): void {
    this.#end({ status: 'threw', notApplied, message }, 0);
  }

  #end(result: RunResult, afterMs: number): void {
    if (this.#ended) return;
    this.#ended = true;
    const { scheduler, process } = this.ports;
    scheduler.after(afterMs, () => process.hear(() => this.#settle(result)));
  }

  #later(ms: number, then: () => void): void {
    const { scheduler, process } = this.ports;
    scheduler.after(ms, () =>
      process.hear(() => {
        if (!this.#ended) then();
      }),
    );
  }
}
