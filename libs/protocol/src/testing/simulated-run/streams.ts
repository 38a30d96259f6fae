/** The store of a simulated run and what everybody reads from it; every write goes through the deciders. */
import {
  callStream,
  instanceId,
  leaseStream,
  sessionStream,
  type Actor,
  type LeaseEndReason,
  type NewEvent,
} from '@writ/contracts';
import {
  callFromStaged,
  decideCall,
  evolveCall,
  foldCall,
  type CallCommand,
  type CallState,
} from '../../tool-call';
import {
  decideSession,
  evolveSession,
  foldSession,
  type SessionCommand,
  type SessionState,
} from '../../turn';
import { opened, sessionId } from '../facts';
import { beginning, Journal } from '../journal';

export interface EndedLease {
  readonly stream: string;
  readonly revision: number;
  readonly reason: LeaseEndReason;
  readonly atMs: number;
}

export class Streams {
  readonly journal = new Journal();
  readonly calls = new Map<string, CallState>();
  readonly ended = new Map<string, EndedLease>();
  session: SessionState;
  nowMs = beginning;

  constructor() {
    const [event] = this.append(sessionStream(sessionId), [{ type: 'SessionOpened', data: opened() }], {
      service: 'turn-orchestrator',
    });
    if (event === undefined) throw new Error('nothing was opened');
    this.session = evolveSession(undefined, event);
  }

  /** What the decider says; written where it accepts. */
  onSession(command: SessionCommand, actor: Actor): ReturnType<typeof decideSession>['kind'] {
    const decision = decideSession(this.session, command);
    if (decision.kind !== 'accepted') return decision.kind;
    for (const event of this.append(sessionStream(sessionId), decision.events, actor))
      this.session = evolveSession(this.session, event);
    for (const [callId, { staged, settledInSession }] of this.session.calls)
      if (!this.calls.has(callId)) this.calls.set(callId, callFromStaged(staged, settledInSession));
    return 'accepted';
  }

  onCall(callId: string, command: CallCommand, actor: Actor): ReturnType<typeof decideCall> {
    const decision = decideCall(this.call(callId), command);
    if (decision.kind === 'accepted')
      this.calls.set(
        callId,
        this.append(callStream(callId), decision.events, actor).reduce(evolveCall, this.call(callId)),
      );
    return decision;
  }

  call(callId: string): CallState {
    const state = this.calls.get(callId);
    if (state === undefined) throw new Error(`no call ${callId}`);
    return state;
  }

  endLease(instance: string, reason: LeaseEndReason): void {
    const stream = leaseStream(instance);
    const [event] = this.append(
      stream,
      [{ type: 'LeaseEnded', data: { instance, reason, by: 'operator' } }],
      {
        service: 'writ',
      },
    );
    this.ended.set(instance, { stream, revision: event?.revision ?? 0, reason, atMs: this.nowMs });
  }

  openCalls(): readonly string[] {
    return [...this.calls.values()].filter(({ status }) => status !== 'settled').map(({ callId }) => callId);
  }

  /** Live state and replayed state must be one (R14). */
  differsFromReplay(): boolean {
    const session = foldSession(this.journal.of(sessionStream(sessionId)));
    const same = JSON.stringify([...session.turns]) === JSON.stringify([...this.session.turns]);
    const calls = [...session.calls.values()].every(({ staged, settledInSession }) => {
      const replayed = foldCall(staged, this.journal.of(callStream(staged.data.callId)), settledInSession);
      return JSON.stringify(replayed) === JSON.stringify(this.calls.get(staged.data.callId));
    });
    return !same || !calls;
  }

  private append(stream: string, events: readonly NewEvent[], actor: Actor) {
    return this.journal.append(stream, events, { wallMs: this.nowMs, actor });
  }
}

export const ownerName = (number: number): string => instanceId('turn-orchestrator', `o${number}`, 0);
export const executorName = (number: number): string => instanceId('tool-executor', `e${number}`, 0);
