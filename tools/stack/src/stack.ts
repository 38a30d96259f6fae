import { join } from 'node:path';
import { faultsAt, type Faults } from './faults';
import { startGuardian, type Guardian } from './guardian';
import { removeNote, writeNote } from './note';
import type { StackOptions } from './options';
import { addressesOf, type Addresses, type ProcessPlan, type StackLayout, type Variables } from './plan';
import type { Reservation } from './plan/free-ports';
import { waitReady, type Wait } from './processes/readiness';
import { RestartBudget } from './processes/restart-budget';
import { killTogether, stopAll, stopTogether } from './processes/stop';
import { Supervised, type Exit } from './processes/supervised';
import { stackLimits } from './limits';

export interface StackParts {
  readonly layout: StackLayout;
  readonly plans: readonly ProcessPlan[];
  readonly logs: string;
  readonly notes: readonly string[];
  readonly ports: Reservation;
  readonly options: StackOptions;
}

/** The real processes of one Writ, and all that a test or a person may do to them. */
export class Stack {
  readonly addresses: Addresses;
  readonly faults: Faults;
  private readonly guardian: Guardian;
  private readonly all: readonly Supervised[];
  private readonly budget = new RestartBudget();
  private phase: 'starting' | 'running' | 'stopping' = 'starting';

  constructor(private readonly parts: StackParts) {
    this.addresses = addressesOf(parts.layout.portBase, parts.layout.instances);
    this.faults = faultsAt(this.addresses.faults);
    this.guardian = startGuardian();
    const watchers = {
      onLine: (name: string, line: string) => parts.options.onLine?.(name, line),
      onExit: (name: string, exit: Exit) => this.onExit(name, exit),
    };
    this.all = parts.plans.map((plan) => {
      const logFile = join(parts.logs, `${plan.name}.log`);
      return new Supervised(plan, { logFile, guardian: this.guardian, watchers });
    });
  }

  /** Living processes, in the order in which they were started. */
  get processes(): readonly { readonly name: string; readonly pid: number }[] {
    return this.all.flatMap(({ name, pid, isAlive }) =>
      isAlive && pid !== undefined ? [{ name, pid }] : [],
    );
  }

  /** Stores one after the other, then all services. Undefined once all is ready, else a line that says what failed. */
  async begin(): Promise<string | undefined> {
    if (this.parts.options.begins === 'none') return this.settle();
    const stores = this.all.filter(({ plan }) => plan.kind === 'store');
    for (const store of stores) {
      const failure = await this.bringUp(store);
      if (failure !== undefined) return failure;
    }
    const services = this.all.filter(({ plan }) => plan.kind === 'service');
    const failures = await Promise.all(services.map((service) => this.bringUp(service)));
    const failure = failures.find((line) => line !== undefined);
    return failure ?? this.settle();
  }

  private settle(): undefined {
    this.phase = 'running';
    this.note();
  }

  /** Lines of stdout and stderr of all lives of a process. */
  output(name: string): readonly string[] {
    return this.named(name).output;
  }

  isAlive(name: string): boolean {
    return this.named(name).isAlive;
  }

  /** SIGSTOP freezes, SIGCONT goes on, SIGKILL kills; does not wait. */
  signal(name: string, signal: NodeJS.Signals): void {
    this.named(name).signal(signal);
  }

  /** Kills and waits for the end. */
  async kill(name: string): Promise<void> {
    await killTogether([this.named(name)]);
  }

  /** Stops as an operator would: SIGTERM, SIGKILL at the bound. */
  async stop(name: string): Promise<void> {
    await stopTogether([this.named(name)], stackLimits.stopServicesMs);
  }

  /** The end of the life that a process has now, by its crash point for instance. */
  waitForExit(name: string): Promise<Exit> {
    return this.named(name).waitForExit();
  }

  waitReady(name: string): Promise<Wait> {
    return waitReady(this.named(name));
  }

  /**
   * Another life for a process that has ended: without its crash point, with `changes` over its environment. Usable
   * when this resolves with `ready`.
   */
  async start(name: string, changes: Variables = {}): Promise<Wait> {
    await this.launch(name, changes);
    return this.waitReady(name);
  }

  /** The same, without waiting for anything but the program to run. */
  async launch(name: string, changes: Variables = {}): Promise<void> {
    const process = this.named(name);
    if (!process.isAlive) await this.revive(process, changes);
  }

  /** Ends all within ten seconds, services before what they need. */
  async close(): Promise<void> {
    this.phase = 'stopping';
    await stopAll(this.all);
    this.end();
  }

  /** Ends all at once, without giving anything its time. */
  async abort(): Promise<void> {
    this.phase = 'stopping';
    await killTogether(this.all);
    this.end();
  }

  private end(): void {
    this.guardian.dismiss();
    this.parts.ports.release();
    for (const process of this.all) process.close();
    for (const note of this.parts.notes) removeNote(note);
  }

  private named(name: string): Supervised {
    const found = this.all.find((process) => process.name === name);
    if (found === undefined) throw new Error(`no process of this stack is called ${name}`);
    return found;
  }

  private async bringUp(process: Supervised): Promise<string | undefined> {
    const { name } = process;
    if (this.phase === 'stopping') return `${name} was not started.`;
    if ((await process.start()) === undefined)
      return `${name} cannot be started: ${process.plan.command} does not run.`;
    const wait = await waitReady(process);
    if (wait === 'ready') return undefined;
    const last = process.output.slice(-stackLimits.shownLines).join('\n');
    if (wait === 'too_slow')
      return `${name} was not ready within ${stackLimits.readyMs} ms. It last said:\n${last}`;
    const { code, signal } = await process.waitForExit();
    // Killed by its crash point or from outside, which was reported: the rest of the stack is what was asked for.
    if (signal !== null)
      return this.parts.options.restart === true ? this.waitForNextLife(process) : undefined;
    return `${name} ended with exit code ${code ?? '?'} before it was ready. It last said:\n${last}`;
  }

  private async waitForNextLife(process: Supervised): Promise<string | undefined> {
    const wait = await waitReady(process);
    return wait === 'ready' ? undefined : `${process.name} died and did not become ready again.`;
  }

  private onExit(name: string, { pid, code, signal }: Exit): void {
    if (this.phase === 'stopping') return;
    this.parts.options.onEvent?.({ ended: { name, pid, code, signal } });
    const hasFailedToStart = this.phase === 'starting' && signal === null;
    const restarts = this.parts.options.restart === true && !hasFailedToStart && this.budget.take(name);
    if (restarts) void this.revive(this.named(name));
    else if (this.phase === 'running') this.note();
  }

  private async revive(process: Supervised, changes: Variables = {}): Promise<void> {
    const pid = await process.start({ WRIT_CRASH_AT: undefined, ...changes });
    if (pid === undefined) return;
    this.parts.options.onEvent?.({ started: { name: process.name, pid } });
    if (this.phase === 'running') this.note();
  }

  private note(): void {
    const { data } = this.parts.layout;
    const note = { ...this.addresses, pid: process.pid, data, processes: this.processes };
    for (const file of this.parts.notes) writeNote(file, note);
  }
}
