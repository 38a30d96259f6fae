import type { Frame } from '../wire/frames';
import type { EndReason } from '../wire/kinds';
import { settledAs } from '../wire/kinds';
import { limits } from '../limits';
import { endOthersInSession } from '../processes/session';
import type { ToolProcess, ToolProcessEvents } from './tool-process';

/** What the executor asked for: one function of one tool, once. */
export interface Call {
  readonly id: number;
  /** Without effect: may share a process, and may run again if that process must be killed. */
  readonly shared: boolean;
  readonly deadlineMs: number;
  readonly payload: Buffer;
}

interface Ticket extends Call {
  process?: ToolProcess | undefined;
  tries: number;
  readonly timers: {
    place?: NodeJS.Timeout;
    deadline?: NodeJS.Timeout;
    stall?: NodeJS.Timeout;
    grace?: NodeJS.Timeout;
  };
  endReason?: EndReason | undefined;
  /** What the tool said while its process was being ended. */
  lastWord?: Frame | undefined;
}

export type PoolEvents = Pick<ToolProcessEvents, 'onReady' | 'onBegun' | 'onSettled' | 'onLost'>;

export interface PoolOptions {
  readonly slots: number;
  spawn(events: PoolEvents): ToolProcess;
  /** Whether the executor's lease stands. */
  mayRun(): boolean;
  report: {
    settled(call: number, frame: Frame): void;
    killed(call: number, reason: EndReason, neverStarted: boolean): void;
    note(event: string, fields: { readonly [key: string]: string | number }): void;
  };
}

/**
 * Places calls on tool processes: one with an effect has a process for itself, the others go to an idle one, then to a
 * new one, and share only where the slots are used up. Deadlines are kept here, outside the process that may hang.
 */
export class Pool {
  private readonly tickets = new Map<number, Ticket>();
  private readonly processes = new Set<ToolProcess>();
  private waiting: Ticket[] = [];
  private startFailures = 0;
  private sweeps = 0;

  constructor(private readonly options: PoolOptions) {}

  get busy(): boolean {
    return this.tickets.size > 0;
  }

  start(call: Call): void {
    const ticket: Ticket = { ...call, tries: 0, timers: {} };
    this.tickets.set(call.id, ticket);
    if (!this.options.mayRun()) return this.neverStarted(ticket, 'watchdog');
    if (this.waiting.length >= limits.waitingCalls) return this.neverStarted(ticket, 'crashed');
    this.wait(ticket, 'last');
    this.pump();
  }

  kill(id: number, reason: EndReason): void {
    const ticket = this.tickets.get(id);
    if (ticket === undefined) return;
    const { process } = ticket;
    if (process === undefined) return this.neverStarted(ticket, reason);
    const graceful = reason === 'interrupt' || reason === 'round_deadline';
    if (ticket.endReason === undefined) ticket.endReason = reason;
    else if (graceful) return;
    if (!graceful) return this.endProcess(process);
    process.abort(id);
    ticket.timers.grace = setTimeout(() => this.endProcess(process), limits.interruptGraceMs);
  }

  /** Ends every tool process and whatever else lives in the host's session; returns once all are gone. */
  async killAll(reason: EndReason): Promise<void> {
    this.sweeps += 1;
    for (const ticket of [...this.tickets.values()]) {
      if (ticket.process === undefined) this.neverStarted(ticket, reason);
      else ticket.endReason ??= reason;
    }
    const others = endOthersInSession();
    await Promise.all([...this.processes].map((process) => this.endProcessNow(process)));
    await others;
    this.sweeps -= 1;
    this.pump();
  }

  /** Starts one process ahead of the first call. */
  warm(): void {
    if (this.processes.size === 0 && this.sweeps === 0) this.spawn();
  }

  private pump(): void {
    if (this.sweeps > 0) return;
    for (const ticket of [...this.waiting]) {
      const process = this.processFor(ticket);
      if (process !== undefined) this.assign(ticket, process);
    }
    const starting = this.countIn('starting');
    for (let wanted = this.waiting.length - starting; wanted > 0 && this.hasRoom(); wanted -= 1) this.spawn();
  }

  private processFor(ticket: Ticket): ToolProcess | undefined {
    const ready = [...this.processes].filter((process) => process.state === 'ready');
    const idle = ready.find((process) => process.calls.size === 0 && !process.stalled);
    if (idle !== undefined || !ticket.shared || this.countIn('starting', 'ready') < this.options.slots)
      return idle;
    return ready
      .filter(
        (process) => this.isShared(process) && !process.stalled && process.calls.size < limits.sharedCalls,
      )
      .sort((one, other) => one.calls.size - other.calls.size)[0];
  }

  private isShared(process: ToolProcess): boolean {
    return [...process.calls].every((id) => this.tickets.get(id)?.shared === true);
  }

  /** Calls without effect (a check, a readback) do not wait for those that have one: there is one process more for them. */
  private hasRoom(): boolean {
    const spare = this.waiting.some((ticket) => ticket.shared) ? 1 : 0;
    return this.countIn('starting', 'ready') < this.options.slots + spare;
  }

  private countIn(...states: readonly ToolProcess['state'][]): number {
    return [...this.processes].filter((process) => states.includes(process.state)).length;
  }

  private spawn(): void {
    this.processes.add(
      this.options.spawn({
        onReady: () => {
          this.startFailures = 0;
          this.pump();
        },
        onBegun: (process, id) => {
          const ticket = this.tickets.get(id);
          if (ticket?.process === process) clearTimeout(ticket.timers.stall);
        },
        onSettled: (process, frame) => this.settled(process, frame),
        onLost: (process, why) => this.lost(process, why),
      }),
    );
  }

  private wait(ticket: Ticket, where: 'first' | 'last'): void {
    if (where === 'last') this.waiting.push(ticket);
    else this.waiting.unshift(ticket);
    ticket.timers.place = setTimeout(() => this.neverStarted(ticket, 'crashed'), limits.placeMs);
  }

  private assign(ticket: Ticket, process: ToolProcess): void {
    this.waiting = this.waiting.filter((other) => other !== ticket);
    clearTimeout(ticket.timers.place);
    ticket.process = process;
    ticket.tries += 1;
    ticket.timers.deadline = setTimeout(() => this.kill(ticket.id, 'deadline'), ticket.deadlineMs);
    const sayBegun = process.calls.size > 0;
    if (sayBegun) ticket.timers.stall = setTimeout(() => this.move(ticket, process), limits.sharedStallMs);
    process.run(ticket.id, ticket.payload, { sayBegun });
  }

  /** Another call blocks the process that this one shares; it has not begun and may begin elsewhere. */
  private move(ticket: Ticket, process: ToolProcess): void {
    process.stalled = true;
    process.calls.delete(ticket.id);
    this.again(ticket);
    this.pump();
  }

  private again(ticket: Ticket): void {
    clearAll(ticket);
    ticket.process = undefined;
    if (ticket.tries < limits.sharedTries) return this.wait(ticket, 'first');
    this.tickets.delete(ticket.id);
    this.options.report.killed(ticket.id, 'crashed', false);
  }

  private settled(process: ToolProcess, frame: Frame): void {
    const ticket = this.tickets.get(frame.call);
    if (ticket === undefined || ticket.process !== process) return;
    if (process.state === 'ending') {
      ticket.lastWord = frame;
      return;
    }
    // It has answered to the abort; what it started may not have heard of it.
    if (ticket.endReason !== undefined && process.calls.size === 1) {
      ticket.lastWord = frame;
      return this.endProcess(process);
    }
    process.calls.delete(frame.call);
    this.finish(ticket, frame);
    const surplus = process.calls.size === 0 && this.countIn('starting', 'ready') > this.options.slots;
    if (surplus) return this.endProcess(process);
    this.pump();
  }

  private finish(ticket: Ticket, frame: Frame | undefined): void {
    clearAll(ticket);
    this.tickets.delete(ticket.id);
    const stopped =
      frame === undefined || (ticket.endReason !== undefined && frame.number === settledAs.threw);
    if (stopped) this.options.report.killed(ticket.id, ticket.endReason ?? 'crashed', false);
    else this.options.report.settled(ticket.id, frame);
  }

  private lost(process: ToolProcess, why: string): void {
    const starting = process.state === 'starting';
    this.options.report.note('tool_process_lost', { toolProcess: process.pid, why });
    if (starting) this.startFailures += 1;
    const calls = this.ticketsOf(process);
    const alone = calls.length === 1;
    for (const ticket of calls) if (!ticket.shared || alone) ticket.endReason ??= 'crashed';
    this.endProcess(process);
    if (this.startFailures < limits.startTries) return;
    this.startFailures = 0;
    for (const ticket of [...this.waiting]) this.neverStarted(ticket, 'crashed');
  }

  private endProcess(process: ToolProcess): void {
    void this.endProcessNow(process);
  }

  private async endProcessNow(process: ToolProcess): Promise<void> {
    const ended = process.end();
    // Who was only in the same process has no effect and runs again, elsewhere and at once.
    for (const ticket of this.ticketsOf(process)) {
      if (ticket.endReason !== undefined) continue;
      process.calls.delete(ticket.id);
      this.again(ticket);
    }
    this.pump();
    const slow = setTimeout(
      () => this.options.report.note('tool_process_lingers', { toolProcess: process.pid }),
      limits.lingeringMs,
    );
    await ended;
    clearTimeout(slow);
    this.processes.delete(process);
    for (const ticket of this.ticketsOf(process)) this.finish(ticket, ticket.lastWord);
    this.pump();
  }

  private ticketsOf(process: ToolProcess): Ticket[] {
    return [...this.tickets.values()].filter((ticket) => ticket.process === process);
  }

  private neverStarted(ticket: Ticket, reason: EndReason): void {
    clearAll(ticket);
    this.waiting = this.waiting.filter((other) => other !== ticket);
    this.tickets.delete(ticket.id);
    // A call without effect that ran before and was to run again has started, though nothing came of it.
    this.options.report.killed(ticket.id, reason, ticket.tries === 0);
  }
}

function clearAll(ticket: Ticket): void {
  for (const timer of Object.values(ticket.timers)) clearTimeout(timer);
}
