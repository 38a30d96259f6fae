import { controlStream, type EventData, type Turn } from '@writ/contracts';
import {
  decideSession,
  pendingTurn,
  type OwnerFacts,
  type SessionCommand,
  type TurnEnd,
  type TurnWork,
} from '@writ/protocol';
import { backoffMs } from '../backoff';
import { readNewest } from '../journal/read';
import { seal } from '../journal/seal';
import { runtimeLimits } from '../limits';
import { wakeApprovals, wakeExecutor } from './wake-call';
import { settleAbandoned, takeOverForOwner } from './settle-calls';
import { SessionMemory } from './session-memory';
import type { SessionPorts, SessionRules } from './session-ports';
import { appendToSession, headOf, writeSession, type SessionWrite } from './session-writer';
import { takeStep } from './take-step';
import { turnView } from './turn-view';
import { WakePace } from './wake-pace';

/**
 * Drives one session that this instance holds, from whatever its streams say to its turn's end. What is to be done is
 * asked of the core (`pendingTurn`), the same for a turn that runs and one that is recovered; what has happened is read
 * from the store.
 */
export class SessionOwner {
  private readonly pace: WakePace;
  private readonly dirty = new Set<string>();
  private readonly poolSince = new Map<string, number>();
  private readonly endedSince = new Map<string, number>();
  private nudged = new AbortController();
  private asking: AbortController | undefined;
  private controlDirty = true;
  private interruptRequested = false;
  private polledAtMs = Number.NEGATIVE_INFINITY;
  private stopped = false;
  /** Set while not even the turn's end can be recorded; callers get 503 (protocol 5). */
  stuck: Turn['failure'];

  constructor(
    readonly ports: SessionPorts,
    readonly rules: SessionRules,
    readonly memory: SessionMemory,
    readonly instance: string,
    private readonly onChange: () => void,
  ) {
    this.pace = new WakePace(ports.clock, ports.entropy);
  }

  get sessionId(): string {
    return this.memory.session.sessionId;
  }

  turn(turnId: string): Turn | undefined {
    return turnView(this.memory, turnId);
  }

  context() {
    const epoch = this.memory.session.lease?.epoch;
    return {
      actor: {
        service: 'turn-orchestrator' as const,
        instance: this.instance,
        ...(epoch === undefined ? {} : { epoch }),
      },
      correlationId: this.sessionId,
    };
  }

  /** Under which epoch this instance acts; a lease of somebody else makes every command fail. */
  owner(): { readonly instance: string; readonly epoch: number } {
    return { instance: this.instance, epoch: this.memory.session.lease?.epoch ?? -1 };
  }

  /** A call of the session has moved. */
  noticeCall(callId: string): void {
    this.dirty.add(callId);
    this.nudge();
  }

  /** Somebody asks for something in the control stream. */
  noticeControl(): void {
    this.controlDirty = true;
    this.nudge();
  }

  stop(): void {
    this.stopped = true;
    this.nudge();
  }

  /** Until nothing is left to do here, the lease is lost, or `stop`. Answers whether the session still needs an owner. */
  async run(): Promise<void> {
    while (!this.stopped && this.ports.lease.instance === this.instance) {
      if (!this.ports.lease.mayAct()) {
        await this.rest(runtimeLimits.pollMs);
        continue;
      }
      await this.look();
      const work = pendingTurn(this.memory.session, this.memory.calls, this.facts());
      if (work.length === 0) return;
      const reloaded = await this.doAll(work);
      this.onChange();
      if (reloaded === 'lost') return;
      if (reloaded === 'rest') await this.rest(restMs(work));
    }
  }

  /** One command to the session's stream; what it wrote is taken in. */
  async write(command: SessionCommand): Promise<SessionWrite> {
    const write = await writeSession(this.ports, this.memory.session, command, {
      context: this.context(),
      ...(command.type === 'RecordStep' ? { inFlight: 'K1' as const } : {}),
    });
    if (write.result === 'stands') this.memory.wrote(write.state, write.events);
    return write;
  }

  /**
   * An append whose outcome stays unknown: the turn's end goes to the *same expected revision*. Acknowledged, the other can
   * never land; a conflict is answered by what is there; and while neither is known the turn stays open (R2, protocol 5).
   */
  async endInstead(unknown: Extract<SessionWrite, { result: 'unknown' }>): Promise<'stands' | 'reload'> {
    const { clock, entropy, log, lease } = this.ports;
    const { session } = this.memory;
    const failure = persistenceFailure(
      unknown.cause,
      'The step could not be recorded, so nothing of it was run.',
    );
    const decision = decideSession(session, {
      type: 'EndTurn',
      ...this.owner(),
      turnId: session.turn?.turnId ?? '',
      end: { type: 'TurnFailed', ...failure },
      openCalls: [],
    });
    if (decision.kind !== 'accepted') return 'reload';
    const end = seal(headOf(session), decision.events, this.context(), this.ports);
    for (let tries = 0; lease.instance === this.instance && !this.stopped; tries += 1) {
      const write = await appendToSession(this.ports, session, end);
      if (write.result === 'stands') {
        this.memory.wrote(write.state, write.events);
        this.stuck = undefined;
        log.error('session_persistence_failed', { sessionId: this.sessionId, cause: unknown.cause });
        return 'stands';
      }
      if (write.result !== 'unknown') break;
      this.stuck = failure;
      this.onChange();
      await clock.sleep(backoffMs(tries, runtimeLimits.retryFirstMs, runtimeLimits.retryLongestMs, entropy));
    }
    this.stuck = undefined;
    return 'reload';
  }

  /** Ends the turn, with the lease where no call is left open. */
  async end(end: TurnEnd): Promise<'again' | 'reload'> {
    const turnId = this.memory.session.turn?.turnId ?? '';
    const openCalls = this.memory.openCalls().map(({ callId }) => callId);
    const write = await this.write({ type: 'EndTurn', ...this.owner(), turnId, end, openCalls });
    if (write.result === 'stands')
      this.ports.log.info('turn_ended', { sessionId: this.sessionId, turnId, as: end.type });
    if (write.result === 'unknown')
      this.stuck = persistenceFailure(write.cause, 'The end of the turn could not be recorded.');
    else this.stuck = undefined;
    return write.result === 'stands' ? 'again' : 'reload';
  }

  /** Runs while the model is asked: an interrupt or the turn's wall time ends the asking. */
  async whileAsking<T>(ask: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const asking = new AbortController();
    this.asking = asking;
    const watching = this.watchAsking(asking);
    try {
      return await ask(asking.signal);
    } finally {
      this.asking = undefined;
      asking.abort();
      this.nudge();
      await watching;
    }
  }

  private async watchAsking(asking: AbortController): Promise<void> {
    while (!asking.signal.aborted) {
      await this.rest(runtimeLimits.pollMs);
      await this.lookAtControl();
      const { lease } = this.ports;
      const stillAsks = pendingTurn(this.memory.session, this.memory.calls, this.facts()).some(
        ({ do: what }) => what === 'ask_model',
      );
      if (!stillAsks || this.stopped || lease.instance !== this.instance || !lease.mayAct()) asking.abort();
    }
  }

  private async doAll(work: readonly TurnWork[]): Promise<'rest' | 'again' | 'lost'> {
    for (const item of work) {
      const next = await this.doOne(item);
      if (next === 'reload') return (await this.reload()) ? 'again' : 'lost';
      if (next === 'again') return 'again';
    }
    return 'rest';
  }

  /** `rest`: nothing changed by it; `again`: look at once; `reload`: the stream has moved without us. */
  private async doOne(item: TurnWork): Promise<'rest' | 'again' | 'reload'> {
    switch (item.do) {
      case 'ask_model':
        return takeStep(this, item.step);
      case 'wake_executor':
        if (this.pace.due(item.callId, item.because)) await wakeExecutor(this.ports, this.sessionId, item);
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
          settleAbandoned(this.ports, state, { ...this.self(), why: item.why }),
        );
      case 'take_over':
        return this.onCall(item.callId, (state) => takeOverForOwner(this.ports, state, this.self()));
      case 'end_turn':
        return this.end(item.end);
      case 'release': {
        const write = await this.write({ type: 'ReleaseLease', ...this.owner(), why: item.why });
        return write.result === 'stands' ? 'again' : 'reload';
      }
      case 'look_again':
        return 'rest';
    }
  }

  private async abandon(item: Extract<TurnWork, { do: 'abandon' }>): Promise<'again' | 'reload'> {
    const { callIds, why } = item;
    const write = await this.write({ type: 'AbandonCalls', ...this.owner(), callIds, why });
    this.ports.crash.pass('H4');
    return write.result === 'stands' ? 'again' : 'reload';
  }

  private async onCall(
    callId: string,
    act: (state: NonNullable<ReturnType<SessionMemory['calls']['get']>>) => Promise<void>,
  ): Promise<'rest'> {
    const state = this.memory.calls.get(callId);
    if (state !== undefined) await act(state);
    this.noticeCall(callId);
    return 'rest';
  }

  /** Reads what may have moved: calls that were noticed, all open ones at each poll. */
  private async look(): Promise<void> {
    const now = this.ports.clock.monotonicMs();
    const poll = now - this.polledAtMs >= runtimeLimits.pollMs;
    if (poll) this.polledAtMs = now;
    const look = poll ? this.memory.openCalls().map(({ callId }) => callId) : [...this.dirty];
    this.dirty.clear();
    for (const callId of look) {
      if (await this.memory.refreshCall(this.ports.store, callId)) this.onChange();
    }
    if (poll) this.controlDirty = true;
    await this.lookAtControl();
  }

  private async lookAtControl(): Promise<void> {
    const { turn } = this.memory.session;
    if (!this.controlDirty || turn === null) return;
    const newest = await readNewest(this.ports.store, controlStream(this.sessionId));
    if (newest.outcome === 'unavailable') return;
    this.controlDirty = false;
    const event = newest.outcome === 'events' ? newest.events[0] : undefined;
    if (event?.type === 'InterruptRequested' && event.data.turnId === turn.turnId)
      this.interruptRequested = true;
  }

  private async reload(): Promise<boolean> {
    const { store, log } = this.ports;
    const loaded = await SessionMemory.load(store, this.sessionId);
    if (loaded.outcome === 'damaged')
      log.error('stream_damaged', { sessionId: this.sessionId, problem: loaded.problem });
    if (loaded.outcome === 'not_found' || loaded.outcome === 'damaged') return false;
    if (loaded.outcome === 'unavailable') {
      await this.rest(runtimeLimits.pollMs);
      return true;
    }
    this.memory.replaceWith(loaded.memory);
    return this.memory.session.lease?.instance === this.instance;
  }

  private facts(): OwnerFacts {
    const { clock, watch } = this.ports;
    const now = clock.monotonicMs();
    for (const call of this.memory.openCalls()) {
      if (call.status === 'ready' && !this.poolSince.has(call.terms.pool))
        this.poolSince.set(call.terms.pool, now);
    }
    return {
      instance: this.instance,
      nowMs: clock.wallMs(),
      holderLease: (instance) => watch.status(instance).status,
      endedForMs: (instance) => this.endedForMs(instance, now),
      unclaimedForMs: (pool) =>
        now - Math.max(watch.poolSeenAtMs(pool) ?? Number.NEGATIVE_INFINITY, this.poolSince.get(pool) ?? now),
      interruptRequested: this.interruptRequested,
      limits: { commitGraceMs: this.rules.commitGraceMs, unclaimedMs: this.rules.unclaimedMs },
    };
  }

  private endedForMs(instance: string, now: number): number {
    if (this.ports.watch.status(instance).status !== 'ended') return 0;
    const since = this.endedSince.get(instance) ?? now;
    this.endedSince.set(instance, since);
    return now - since;
  }

  private self() {
    return { instance: this.instance, context: this.context() };
  }

  private nudge(): void {
    this.nudged.abort();
  }

  private async rest(ms: number): Promise<void> {
    if (this.dirty.size === 0)
      await this.ports.clock.sleep(Math.min(ms, runtimeLimits.pollMs), this.nudged.signal);
    if (this.nudged.signal.aborted) this.nudged = new AbortController();
  }
}

function restMs(work: readonly TurnWork[]): number {
  const due = work.flatMap((item) => (item.do === 'look_again' ? [item.inMs] : []));
  return Math.max(1, Math.min(runtimeLimits.pollMs, ...due));
}

function persistenceFailure(
  cause: NonNullable<EventData<'TurnFailed'>['cause']>,
  message: string,
): NonNullable<Turn['failure']> {
  return { code: 'session_persistence_failed', cause, message };
}
