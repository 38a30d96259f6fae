import type { Failure, Turn } from '@writ/contracts';
import {
  pendingTurn,
  type CallState,
  type SessionCommand,
  type TurnEnd,
  type TurnWork,
} from '@writ/protocol';
import { runtimeLimits } from '../limits';
import { ControlWatch } from './control-watch';
import { OwnerFactsBook } from './owner-facts';
import { PollPace } from './poll-pace';
import { SessionMemory } from './session-memory';
import type { SessionPorts, SessionRules } from './session-ports';
import { writeSession, type SessionWrite } from './session-writer';
import { reasonToSettle, settleAbandoned, takeOverForOwner } from './settle-calls';
import { takeStep } from './take-step';
import { turnView } from './turn-view';
import { wakeApprovals, wakeExecutor } from './wake-call';
import { WakePace } from './wake-pace';

export interface SessionOwnerOptions {
  readonly ports: SessionPorts;
  readonly rules: SessionRules;
  readonly memory: SessionMemory;
  readonly instance: string;
  onChange(): void;
}

/** Without a reason of its own an abort makes an error, stack and all, at every notice. */
const nudge = 'noticed';

/** What one piece of work led to. `rest`: nothing new by itself; `again`: look at once; `reload`: the stream moved without us. */
type Next = 'rest' | 'again' | 'reload';

/**
 * Drives one session that this instance holds, from whatever its streams say to its turn's end. What is to be done is
 * asked of the core (`pendingTurn`), the same for a turn that runs and one that is recovered; what has happened is read
 * from the store.
 */
export class SessionOwner {
  readonly ports: SessionPorts;
  readonly rules: SessionRules;
  readonly memory: SessionMemory;
  /** Set while not even the turn's end can be recorded; callers get 503 (protocol 5). */
  stuck: Failure | undefined;
  private readonly pace: WakePace;
  private readonly poll: PollPace;
  private readonly book: OwnerFactsBook;
  private readonly control: ControlWatch;
  private readonly dirty = new Set<string>();
  private nudged = new AbortController();
  private stopped = false;

  constructor(private readonly options: SessionOwnerOptions) {
    const { ports, rules, memory, instance } = options;
    this.ports = ports;
    this.rules = rules;
    this.memory = memory;
    this.pace = new WakePace(ports.clock, ports.entropy);
    this.poll = new PollPace(ports.clock);
    this.book = new OwnerFactsBook(ports, rules, instance);
    this.control = new ControlWatch(ports, this.sessionId);
  }

  get sessionId(): string {
    return this.memory.session.sessionId;
  }

  turn(turnId: string): Turn | undefined {
    return turnView(this.memory, turnId);
  }

  /** Under which epoch this instance acts; where the session is somebody else's every command is refused. */
  self(): { readonly instance: string; readonly epoch: number } {
    return { instance: this.options.instance, epoch: this.memory.session.lease?.epoch ?? -1 };
  }

  context() {
    const { instance, epoch } = this.self();
    return {
      actor: { service: 'turn-orchestrator' as const, instance, ...(epoch < 0 ? {} : { epoch }) },
      correlationId: this.sessionId,
    };
  }

  /** Whether it goes on: neither stopped nor without its lease. */
  holds(): boolean {
    return !this.stopped && this.ports.lease.instance === this.options.instance;
  }

  changed(): void {
    this.options.onChange();
  }

  /** A call of the session has moved, to `revision` where that is known; what has been read already is no news. */
  noticeCall(callId: string, revision?: number): void {
    const known = this.memory.calls.get(callId)?.revision;
    if (revision !== undefined && typeof known === 'number' && known >= revision) return;
    this.dirty.add(callId);
    this.nudge();
  }

  /** Somebody asks for something in the control stream. */
  noticeControl(): void {
    this.control.notice();
    this.nudge();
  }

  stop(): void {
    this.stopped = true;
    this.nudge();
  }

  /** Until nothing is left to do here, the lease is lost, or `stop`. */
  async run(): Promise<void> {
    while (this.holds()) {
      if (!this.ports.lease.mayAct()) {
        await this.rest(runtimeLimits.pollMs);
        continue;
      }
      await this.look();
      const work = this.pending();
      if (work.length === 0) return;
      const next = await this.doAll(work);
      this.changed();
      if (next === 'reload' && !(await this.reload())) return;
      if (next === 'rest') await this.rest(this.restMs(work));
    }
  }

  /** One command to the session's stream; what it wrote is taken in. */
  async write(command: SessionCommand): Promise<SessionWrite> {
    const inFlight = command.type === 'RecordStep' ? { inFlight: 'K1' as const } : {};
    const write = await writeSession(this.ports, this.memory.session, {
      command,
      context: this.context(),
      ...inFlight,
    });
    if (write.result === 'stands') this.memory.wrote(write.state, write.events);
    return write;
  }

  /** Ends the turn, with the lease where no call is left open. */
  async end(end: TurnEnd): Promise<'again' | 'reload'> {
    const turnId = this.memory.session.turn?.turnId ?? '';
    const openCalls = this.memory.openCalls().map(({ callId }) => callId);
    const write = await this.write({ type: 'EndTurn', ...this.self(), turnId, end, openCalls });
    const { sessionId } = this;
    if (write.result === 'stands') this.ports.log.info('turn_ended', { sessionId, turnId, as: end.type });
    const message = 'The end of the turn could not be recorded.';
    this.stuck =
      write.result === 'unknown'
        ? { code: 'session_persistence_failed', cause: write.cause, message }
        : undefined;
    return write.result === 'stands' ? 'again' : 'reload';
  }

  /** Runs while the model is asked: an interrupt, the turn's wall time or a lost lease ends the asking. */
  async whileAsking<T>(ask: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const asking = new AbortController();
    const watching = this.watchAsking(asking);
    try {
      return await ask(asking.signal);
    } finally {
      asking.abort();
      this.nudge();
      await watching;
    }
  }

  private async watchAsking(asking: AbortController): Promise<void> {
    while (!asking.signal.aborted) {
      await this.rest(runtimeLimits.pollMs);
      if (asking.signal.aborted) return;
      await this.control.look(runtimeLimits.pollMs);
      const stillAsks = this.pending().some((item) => item.do === 'ask_model');
      if (!stillAsks || !this.holds() || !this.ports.lease.mayAct()) asking.abort();
    }
  }

  private pending(): readonly TurnWork[] {
    const { session, calls } = this.memory;
    const interrupted = this.control.isInterrupted(session.turn?.turnId);
    return pendingTurn(session, calls, this.book.facts(this.memory.openCalls(), interrupted));
  }

  private async doAll(work: readonly TurnWork[]): Promise<Next> {
    for (const item of work) {
      const next = await this.doOne(item);
      if (next !== 'rest') return next;
    }
    return 'rest';
  }

  private async doOne(item: TurnWork): Promise<Next> {
    const by = { instance: this.options.instance, context: this.context() };
    switch (item.do) {
      case 'ask_model':
        return takeStep(this, item.step);
      case 'wake_executor':
        if (this.pace.due(item.callId, item.because)) wakeExecutor(this.ports, this.sessionId, item);
        return 'rest';
      case 'wake_approvals':
        if (this.pace.due(item.callId, 'approval')) await wakeApprovals(this.ports, this.sessionId, item);
        return 'rest';
      case 'cancel':
        this.ports.bus.cancel({ version: 1, callId: item.callId, reason: item.reason });
        return 'rest';
      case 'abandon':
        return this.abandon(item);
      case 'settle_abandoned':
        return this.onCall(item.callId, (state) =>
          settleAbandoned(this.ports, state, {
            ...by,
            why: reasonToSettle(item.why, this.memory.session.turn),
          }),
        );
      case 'take_over':
        return this.onCall(item.callId, (state) => takeOverForOwner(this.ports, state, by));
      case 'end_turn':
        return this.end(item.end);
      case 'release': {
        const write = await this.write({ type: 'ReleaseLease', ...this.self(), why: item.why });
        return write.result === 'stands' ? 'again' : 'reload';
      }
      case 'look_again':
        return 'rest';
    }
  }

  private async abandon({ callIds, why }: Extract<TurnWork, { do: 'abandon' }>): Promise<Next> {
    const write = await this.write({ type: 'AbandonCalls', ...this.self(), callIds, why });
    this.ports.crash.pass('H4');
    return write.result === 'stands' ? 'again' : 'reload';
  }

  private async onCall(callId: string, act: (state: CallState) => Promise<void>): Promise<Next> {
    const state = this.memory.calls.get(callId);
    if (state !== undefined) await act(state);
    this.noticeCall(callId);
    return 'rest';
  }

  /** Reads what may have moved: calls that were noticed, all open ones at each poll. */
  private async look(): Promise<void> {
    const isPoll = this.poll.due;
    const callIds = isPoll ? this.memory.openCalls().map(({ callId }) => callId) : [...this.dirty];
    this.dirty.clear();
    let moved = false;
    for (const callId of callIds) {
      if (!(await this.memory.refreshCall(this.ports.store, callId))) continue;
      moved = true;
      this.changed();
    }
    if (isPoll) this.poll.polled(moved || this.watchesHolders());
    else if (moved) this.poll.quicken();
    await this.control.look(this.poll.everyMs);
  }

  /** Reads everything anew; answers whether this instance still holds the session. */
  private async reload(): Promise<boolean> {
    const { store, log } = this.ports;
    const loaded = await SessionMemory.load(store, this.sessionId);
    if (loaded.outcome === 'unavailable') {
      await this.rest(runtimeLimits.pollMs);
      return true;
    }
    if (loaded.outcome !== 'session') {
      if (loaded.outcome === 'damaged')
        log.error('stream_damaged', { sessionId: this.sessionId, problem: loaded.problem });
      return false;
    }
    this.memory.replaceWith(loaded.memory);
    return this.memory.session.lease?.instance === this.options.instance;
  }

  /** Until time alone changes what is to be done, at most a poll; who waits for an executor has its wakes repeated. */
  private restMs(work: readonly TurnWork[]): number {
    const due = work.flatMap((item) => (item.do === 'look_again' ? [item.inMs] : []));
    const isAtRest = work.every((item) => item.do === 'look_again') && !this.watchesHolders();
    return Math.max(1, Math.min(isAtRest ? this.poll.everyMs : runtimeLimits.pollMs, ...due));
  }

  /** Their leases are watched only for as long as somebody keeps asking. */
  private watchesHolders(): boolean {
    return this.memory.openCalls().some(({ status }) => status === 'running' || status === 'reconciling');
  }

  private nudge(): void {
    this.nudged.abort(nudge);
  }

  private async rest(ms: number): Promise<void> {
    const pauseMs = this.dirty.size > 0 ? runtimeLimits.breathMs : ms;
    await this.ports.clock.sleep(pauseMs, this.nudged.signal);
    if (this.nudged.signal.aborted) this.nudged = new AbortController();
  }
}
