import {
  streamPrefixes,
  type ControlNotice,
  type Notice,
  type SessionWork,
  type StartTurnRequest,
  type Turn,
  type WritEvent,
} from '@writ/contracts';
import { turnOfKey } from '@writ/protocol';
import { digestOf } from '../digest';
import { runtimeLimits } from '../limits';
import { turnBudgets } from './budgets';
import { Changes } from './changes';
import { inTheWay, isLeft } from './in-the-way';
import { requestInterrupt, type Interrupted } from './request-interrupt';
import { refused, storeAway, type Refused } from './refused';
import { SessionMemory } from './session-memory';
import { SessionOwner } from './session-owner';
import type { SessionPorts, SessionRules } from './session-ports';
import { turnView } from './turn-view';

interface Driven {
  readonly owner: SessionOwner;
  /** Once nothing is left to do here. */
  readonly ended: Promise<void>;
}

interface StartGiven {
  readonly body: StartTurnRequest;
  readonly idempotencyKey?: string;
}

export interface StartedTurn {
  readonly turnId: string;
}

/**
 * The sessions of one orchestrator: which it drives, how a turn begins, how one that nobody holds is taken up again.
 * Each session has at most one owner here, under one hold of the instance's lease.
 */
export class Sessions {
  private readonly owners = new Map<string, Driven>();
  private readonly adopting = new Map<string, Promise<void>>();
  private readonly changes: Changes;
  private stopping = false;

  constructor(
    private readonly ports: SessionPorts,
    private readonly rules: SessionRules,
  ) {
    this.changes = new Changes(ports.clock);
  }

  /** A hint that a call or the control stream has moved; the store then says how (protocol 6). */
  notice(notice: Notice | ControlNotice): void {
    const owner = this.owners.get(notice.sessionId)?.owner;
    if (owner === undefined) return;
    if ('control' in notice) owner.noticeControl();
    else owner.noticeCall(notice.callId, notice.revision);
  }

  /** An event that the log has handed on: what a notice says, and not lost. */
  committed({ stream, revision, metadata }: WritEvent): void {
    const owner = this.owners.get(metadata.$correlationId)?.owner;
    if (stream.startsWith(streamPrefixes.call))
      owner?.noticeCall(stream.slice(streamPrefixes.call.length), revision);
    else if (stream.startsWith(streamPrefixes.control)) owner?.noticeControl();
  }

  /** Starts a turn, or finds the one that the same key and body have started. */
  async startTurn(
    sessionId: string,
    body: StartTurnRequest,
    idempotencyKey?: string,
  ): Promise<StartedTurn | Refused> {
    for (let tries = 0; tries < runtimeLimits.startTries; tries += 1) {
      if (this.stopping) return refused('store_unavailable', 'this orchestrator is stopping');
      if (!this.ports.catalog.upToDate)
        return refused('store_unavailable', 'the tools on record are not read yet');
      const known = await this.memoryOf(sessionId);
      if ('refused' in known) return known;
      const repeated = this.repeatOf(known, body, idempotencyKey);
      if (repeated !== undefined) return repeated;
      const driven = this.owners.get(sessionId);
      if (driven !== undefined && !isLeft(known)) return inTheWay(known);
      const busy = this.adopting.get(sessionId) ?? driven?.ended;
      if (busy === undefined)
        return this.beginAlone(known, { body, ...(idempotencyKey === undefined ? {} : { idempotencyKey }) });
      await busy;
    }
    return refused('turn_in_progress', 'other requests for this session came first');
  }

  async turn(sessionId: string, turnId: string): Promise<Turn | Refused> {
    const owner = this.owners.get(sessionId)?.owner;
    const memory = owner?.memory ?? (await this.memoryOf(sessionId));
    if ('refused' in memory) return memory;
    const turn = turnView(memory, turnId);
    return turn ?? refused('not_found', 'the session has no such turn');
  }

  /** The finished turn; a refusal where its end cannot be recorded, or `undefined` when the caller goes away first. */
  async ended(sessionId: string, turnId: string, signal: AbortSignal): Promise<Turn | Refused | undefined> {
    while (!signal.aborted) {
      const changed = this.changes.next(sessionId, signal);
      const owner = this.owners.get(sessionId)?.owner;
      if (owner?.stuck !== undefined) return refused('session_persistence_failed', owner.stuck.message);
      const turn = await this.turn(sessionId, turnId);
      if ('refused' in turn && turn.refused !== 'store_unavailable') return turn;
      if ('status' in turn && turn.endedAt !== undefined) return turn;
      await changed;
    }
    return undefined;
  }

  async interrupt(sessionId: string): Promise<Interrupted | Refused> {
    const memory = await this.memoryOf(sessionId);
    if ('refused' in memory) return memory;
    const interrupted = await requestInterrupt(this.ports, memory.session, this.context(sessionId));
    this.owners.get(sessionId)?.owner.noticeControl();
    return interrupted;
  }

  /**
   * Takes up what nobody holds: open turns and calls whose owner released, has ended, or was this instance before, and
   * sessions with nothing open that an ended owner never released.
   */
  async recover(open: readonly SessionWork[]): Promise<void> {
    const { lease, watch } = this.ports;
    for (const { sessionId, lease: held } of open) {
      if (this.stopping || this.owners.has(sessionId) || this.adopting.has(sessionId)) continue;
      if (this.owners.size + this.adopting.size >= runtimeLimits.ownedSessions) break;
      const foreign = held !== undefined && held.instance !== lease.instance;
      if (foreign && (await watch.statusNow(held.instance)).status !== 'ended') continue;
      const adopting = this.adopt(sessionId).finally(() => this.adopting.delete(sessionId));
      this.adopting.set(sessionId, adopting);
      if (this.adopting.size >= runtimeLimits.adoptedAtOnce) await Promise.race(this.adopting.values());
    }
    await Promise.all(this.adopting.values());
  }

  /** Stops driving; what is under way at executors goes on, and other orchestrators may take the sessions. */
  async stop(): Promise<void> {
    this.stopping = true;
    const driven = [...this.owners.values()];
    for (const { owner } of driven) owner.stop();
    await Promise.all(driven.map(({ ended }) => ended));
  }

  /** A lease has ended, this one or another: what hangs on it is looked at again. */
  lookAgain(): void {
    for (const { owner } of this.owners.values()) owner.noticeControl();
    this.changes.tellAll();
  }

  async memoryOf(sessionId: string): Promise<SessionMemory | Refused> {
    const owner = this.owners.get(sessionId)?.owner;
    if (owner !== undefined) return owner.memory;
    const loaded = await SessionMemory.load(this.ports.store, sessionId);
    if (loaded.outcome === 'session') return loaded.memory;
    if (loaded.outcome === 'not_found') return refused('not_found', 'there is no such session');
    if (loaded.outcome === 'unavailable') return storeAway();
    this.ports.log.error('stream_damaged', { sessionId, problem: loaded.problem });
    return refused('internal_error', 'the record of this session is damaged; nothing runs on it');
  }

  private repeatOf(
    memory: SessionMemory,
    body: StartTurnRequest,
    key: string | undefined,
  ): StartedTurn | Refused | undefined {
    const earlier = key === undefined ? undefined : turnOfKey(memory.session, key);
    if (earlier === undefined) return undefined;
    return earlier.requestDigest === digestOf(body)
      ? { turnId: earlier.turnId }
      : refused('idempotency_key_reused', 'this Idempotency-Key has started a turn with another body');
  }

  private async beginAlone(known: SessionMemory, given: StartGiven): Promise<StartedTurn | Refused> {
    const { sessionId } = known.session;
    const beginning = this.begin(sessionId, known, given);
    this.adopting.set(
      sessionId,
      beginning.then(() => undefined),
    );
    try {
      return await beginning;
    } finally {
      this.adopting.delete(sessionId);
    }
  }

  private async begin(
    sessionId: string,
    known: SessionMemory,
    given: StartGiven,
  ): Promise<StartedTurn | Refused> {
    const owner = await this.holdAs(known);
    if (owner === undefined)
      return refused('store_unavailable', 'this orchestrator cannot renew its lease now');
    const { body, idempotencyKey } = given;
    const turnId = `turn_${this.ports.entropy.uuid().replaceAll('-', '')}`;
    const write = await owner.write({
      type: 'StartTurn',
      turnId,
      input: body.input,
      ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
      requestDigest: digestOf(body),
      budgets: turnBudgets(this.rules.budgets, body.budgets),
      instance: owner.self().instance,
      openCalls: known.openCalls().map(({ callId }) => callId),
    });
    if (write.result === 'stands') {
      this.ports.log.info('turn_started', { sessionId, turnId, position: write.events.at(-1)?.position });
      this.drive(owner);
      return { turnId };
    }
    this.ports.lease.release();
    if (write.result === 'rejected') return inTheWay(known);
    if (write.result === 'overtaken')
      return refused('turn_in_progress', 'another turn of this session has just begun');
    if (write.result === 'too_large')
      return refused('invalid_request', 'larger than one append of the store may be', { field: 'input' });
    return refused(
      'session_persistence_failed',
      'the turn is not known to be on record; nothing of it was run',
    );
  }

  private async adopt(sessionId: string): Promise<void> {
    const { log, lease, watch } = this.ports;
    const memory = await this.memoryOf(sessionId);
    if ('refused' in memory) return;
    const { session } = memory;
    const openTurn = session.turn !== null && session.turn.status === 'open';
    if (!openTurn && isLeft(memory)) return;
    const owner = await this.holdAs(memory);
    if (owner === undefined) return;
    if (session.lease?.instance !== lease.instance) {
      const before = session.lease === null ? undefined : await watch.statusNow(session.lease.instance);
      if (before !== undefined && before.status !== 'ended') return lease.release();
      const leaseEnded =
        before?.status === 'ended' ? { stream: before.end.stream, revision: before.end.revision } : undefined;
      const write = await owner.write({
        type: 'AcquireLease',
        instance: owner.self().instance,
        ...(leaseEnded === undefined ? {} : { leaseEnded }),
      });
      if (write.result !== 'stands') return lease.release();
      log.info('session_taken_over', {
        sessionId,
        instance: owner.self().instance,
        epoch: write.state.lease?.epoch,
      });
    }
    this.drive(owner);
  }

  private async holdAs(memory: SessionMemory): Promise<SessionOwner | undefined> {
    if (!(await this.ports.lease.hold())) return undefined;
    const { instance } = this.ports.lease;
    if (instance !== undefined)
      return new SessionOwner({
        ports: this.ports,
        rules: this.rules,
        memory,
        instance,
        onChange: () => this.changes.tell(memory.session.sessionId),
      });
    this.ports.lease.release();
    return undefined;
  }

  private drive(owner: SessionOwner): void {
    const { sessionId } = owner;
    const ended = owner
      .run()
      .catch((error: unknown) => {
        const problem = error instanceof Error ? (error.stack ?? error.message) : 'unknown';
        this.ports.log.error('session_failed', { sessionId, problem });
      })
      .finally(() => {
        this.owners.delete(sessionId);
        this.ports.lease.release();
        this.changes.tell(sessionId);
      });
    this.owners.set(sessionId, { owner, ended });
  }

  private context(sessionId: string) {
    const { instance } = this.ports.lease;
    return {
      actor: { service: 'turn-orchestrator' as const, ...(instance === undefined ? {} : { instance }) },
      correlationId: sessionId,
    };
  }
}
