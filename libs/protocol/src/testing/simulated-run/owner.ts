/** The owner of a simulated run: does what `pendingTurn` offers, and nothing else. */
import type { Actor, EventData } from '@writ/contracts';
import { abandonedResult } from '../../tool-call';
import { pendingTurn, shownResults, type OwnerFacts, type TurnWork } from '../../turn';
import { message, result, staged, turn } from '../facts';
import type { Draw } from './draw';
import type { Executors } from './executors';
import { ownerName, type Streams } from './streams';

const classes = ['read', 'idempotent', 'reconcilable', 'irreversible'] as const;
const mostSteps = 4;

export class Owner {
  private number = 1;
  private turns = 0;
  private staged = 0;
  interruptRequested = false;
  /** Calls that the approval-service was woken for. */
  readonly asked = new Set<string>();
  private poolLostAtMs: number | undefined;
  /** By call and epoch, when this owner first saw it run. */
  private readonly runningSinceMs = new Map<string, number>();

  constructor(
    private readonly streams: Streams,
    private readonly executors: Executors,
    private readonly draw: Draw,
  ) {}

  get instance(): string {
    return ownerName(this.number);
  }

  startTurn(): void {
    const openCalls = this.streams.openCalls();
    const budgets = { ...turn().budgets, steps: mostSteps - this.draw.below(2) };
    const turnId = `t${this.turns + 1}`;
    const command = {
      type: 'StartTurn',
      instance: this.instance,
      ...turn({ turnId, budgets }),
      openCalls,
    } as const;
    if (this.streams.onSession(command, this.actor()) !== 'accepted') return;
    this.turns += 1;
    this.interruptRequested = false;
  }

  /** The owner's lease ends and the next one takes the session, at once or later. */
  succeed(): void {
    const { lease } = this.streams.session;
    if (lease?.instance === this.instance) this.streams.endLease(this.instance, 'silent');
    this.number += 1;
    this.runningSinceMs.clear();
    const ended = lease === null ? undefined : this.streams.ended.get(lease.instance);
    const leaseEnded = ended && { stream: ended.stream, revision: ended.revision };
    this.streams.onSession(
      { type: 'AcquireLease', instance: this.instance, ...(leaseEnded && { leaseEnded }) },
      this.actor(),
    );
  }

  pending(): TurnWork[] {
    const { session, calls } = this.streams;
    const work = pendingTurn(session, calls, this.facts());
    if (session.lease?.instance === this.instance && work.length === 0)
      throw new Error('an owner has nothing to do and nothing to wait for');
    return work;
  }

  /** Does one item; what was offered must not be refused. */
  do(work: TurnWork): void {
    const refused = this.perform(work);
    if (refused !== undefined) throw new Error(`${work.do} was offered and refused: ${refused}`);
  }

  private perform(work: TurnWork): string | undefined {
    const { session } = this.streams;
    const as = { instance: this.instance, epoch: session.lease?.epoch ?? -1 };
    switch (work.do) {
      case 'ask_model':
        return this.refusalOf(this.streams.onSession(this.reply(work.step), this.actor()));
      case 'wake_executor':
        return void this.executors.wake(work.callId);
      case 'wake_approvals':
        return void this.asked.add(work.callId);
      case 'cancel':
        return void this.executors.cancelled.add(work.callId);
      case 'abandon':
        return this.refusalOf(
          this.streams.onSession(
            { type: 'AbandonCalls', ...as, callIds: work.callIds, why: work.why },
            this.actor(),
          ),
        );
      case 'settle_abandoned':
        return this.settle(work.callId);
      case 'take_over':
        return this.takeOver(work.callId, work.endedInstance);
      case 'end_turn': {
        const openCalls = this.streams.openCalls();
        const command = { type: 'EndTurn', ...as, turnId: work.turnId, end: work.end, openCalls } as const;
        return this.refusalOf(this.streams.onSession(command, this.actor()));
      }
      case 'release':
        return this.refusalOf(
          this.streams.onSession({ type: 'ReleaseLease', ...as, why: work.why }, this.actor()),
        );
      case 'look_again':
        return undefined;
    }
  }

  private reply(step: number) {
    const { session, calls } = this.streams;
    const turnId = session.turn?.turnId ?? '';
    const count = step >= mostSteps ? 0 : this.draw.below(4);
    let segment = 0;
    const batch = Array.from({ length: count }, (_, index): EventData<'ToolCallStaged'> => {
      this.staged += 1;
      segment += this.draw.below(2);
      const refused = this.draw.chance(6);
      return staged(`c${this.staged}`, {
        ...{ turnId, step, index },
        effectClass: this.draw.of(classes) ?? 'read',
        onDoubt: this.draw.chance(2) ? 'hold_for_person' : 'tell_model',
        verdict: refused ? 'refused' : this.draw.chance(3) ? 'ask' : 'allowed',
        segment: refused ? undefined : segment,
      });
    });
    return {
      type: 'RecordStep',
      ...{ instance: this.instance, epoch: session.lease?.epoch ?? -1 },
      message: message(step, { turnId, results: shownResults(session, calls) ?? [] }),
      staged: batch,
      refusedResults: batch
        .filter(({ verdict }) => verdict === 'refused')
        .map(({ callId }) =>
          result(callId, { outcome: 'refused', effect: 'none', digest: this.draw.digest() }),
        ),
    } as const;
  }

  private settle(callId: string): string | undefined {
    const due = abandonedResult(this.streams.call(callId), this.instance);
    if (due === undefined) return 'nothing to settle it with';
    const settled = { content: [], ...due, digest: this.draw.digest() };
    const command = { type: 'SettleAbandoned', instance: this.instance, result: settled } as const;
    return this.refusalOf(this.streams.onCall(callId, command, this.actor()).kind);
  }

  private takeOver(callId: string, endedInstance: string): string | undefined {
    const ended = this.streams.ended.get(endedInstance);
    if (ended === undefined) return 'no lease has ended';
    const { stream, revision, reason } = ended;
    const command = {
      type: 'TakeOver',
      instance: this.instance,
      endedInstance,
      leaseEnded: { stream, revision },
      reason,
    } as const;
    return this.refusalOf(this.streams.onCall(callId, command, this.actor()).kind);
  }

  private refusalOf(kind: string): string | undefined {
    return kind === 'accepted' ? undefined : kind;
  }

  private facts(): OwnerFacts {
    const { streams, executors } = this;
    const standing = [...executors.alive].some((instance) => !streams.ended.has(instance));
    this.poolLostAtMs = standing ? undefined : (this.poolLostAtMs ?? streams.nowMs);
    const lostForMs = this.poolLostAtMs === undefined ? 0 : streams.nowMs - this.poolLostAtMs;
    return {
      instance: this.instance,
      nowMs: streams.nowMs,
      holderLease: (instance) =>
        streams.ended.has(instance) ? 'ended' : executors.alive.has(instance) ? 'live' : 'unknown',
      endedForMs: (instance) => streams.nowMs - (streams.ended.get(instance)?.atMs ?? streams.nowMs),
      runningForMs: (callId) => this.runningForMs(callId),
      unclaimedForMs: () => lostForMs,
      interruptRequested: this.interruptRequested,
      limits: { commitGraceMs: 5_000, unclaimedMs: 60_000 },
    };
  }

  private runningForMs(callId: string): number {
    const { nowMs } = this.streams;
    const call = this.streams.call(callId);
    if (call.status !== 'running') return 0;
    const run = `${callId}@${call.epoch}`;
    const sinceMs = this.runningSinceMs.get(run) ?? nowMs;
    this.runningSinceMs.set(run, sinceMs);
    return nowMs - sinceMs;
  }

  private actor(): Actor {
    return { service: 'turn-orchestrator', instance: this.instance };
  }
}
