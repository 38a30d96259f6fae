/** The executors of a simulated run: woken, they do what the core says, and live or die as they are told. */
import type { Actor, EffectClass, Outcome, ReadbackEffect } from '@writ/contracts';
import {
  effectFits,
  effectIfNeverBegun,
  executorNext,
  reconcile,
  type CallState,
  type HolderLease,
} from '../../tool-call';
import { digest } from '../facts';
import { timeOf } from '../journal';
import type { Draw } from './draw';
import { executorName, type Streams } from './streams';

const text = (said: string) => [{ type: 'text' as const, text: said }];
const ranOutcomes = ['succeeded', 'failed', 'timed_out', 'interrupted'] as const;

export class Executors {
  /** Those whose process lives; a lease that was ended as silent leaves its process alive. */
  readonly alive = new Set<string>();
  private readonly woken = new Set<string>();
  readonly cancelled = new Set<string>();
  private born = 0;

  constructor(
    private readonly streams: Streams,
    private readonly draw: Draw,
  ) {}

  start(): void {
    this.born += 1;
    this.alive.add(executorName(this.born));
  }

  /** The holder's lease ends; a silent one may go on working without knowing. */
  lose(): void {
    const holder = this.draw.of(this.standing());
    if (holder === undefined) return;
    const reason = this.draw.of(['gone', 'silent', 'released'] as const) ?? 'gone';
    this.streams.endLease(holder, reason);
    if (reason !== 'silent' || this.draw.chance(2)) this.alive.delete(holder);
  }

  wake(callId: string): void {
    this.woken.add(callId);
  }

  /** One executor takes one wake. */
  takeWake(): void {
    const callId = this.draw.of([...this.woken]);
    const instance = this.draw.of(this.standing());
    if (callId === undefined || instance === undefined) return;
    this.woken.delete(callId);
    const state = this.streams.call(callId);
    const self = {
      instance,
      pool: 'default',
      definitionDigest: digest('e'),
      hasReadback: hasReadback(state),
    };
    const next = executorNext(state, self, this.leaseOf(state));
    if (next.do === 'claim') this.claim(state, instance);
    if (next.do === 'take_over') this.takeOver(state, instance);
    if (next.do === 'reconcile') this.reconcile(state, instance);
  }

  /** One call that somebody holds moves on. */
  work(): void {
    const held = [...this.streams.calls.values()].filter(
      (call) => 'holder' in call && this.alive.has(call.holder),
    );
    const call = this.draw.of(held);
    if (call?.status === 'running') this.commit(call);
    if (call?.status === 'reconciling') this.reconcile(call, call.holder);
  }

  /** A holder that does not know that it was superseded commits what it has. */
  commitLate(): void {
    const call = this.draw.of([...this.streams.calls.values()].filter(({ epochs }) => epochs.length > 0));
    const epoch = call && this.draw.of(call.epochs);
    const instance = this.draw.of([...this.alive]);
    if (call === undefined || epoch === undefined || instance === undefined) return;
    const evidence = {
      outcome: 'succeeded',
      effect: 'applied',
      content: text('late'),
      digest: this.draw.digest(),
    } as const;
    const written = this.streams.onCall(
      call.callId,
      { type: 'CommitResult', instance, epoch, result: evidence },
      by(instance),
    );
    if (written.kind !== 'accepted')
      this.streams.onCall(call.callId, { type: 'RecordLateResult', epoch, ...evidence }, by(instance));
  }

  private standing(): string[] {
    return [...this.alive].filter((instance) => !this.streams.ended.has(instance));
  }

  private leaseOf(call: CallState): HolderLease {
    if (!('holder' in call)) return 'unknown';
    return this.streams.ended.has(call.holder) ? 'ended' : 'live';
  }

  private claim(call: CallState, instance: string): void {
    const { callId, sessionId, staged } = call;
    this.streams.onCall(
      callId,
      {
        type: 'Claim',
        ...{ instance, sessionId, stagedRevision: staged.revision, pool: 'default' },
        ...{ argsDigest: digest('d'), definitionDigest: digest('e'), deadline: this.deadline() },
      },
      by(instance),
    );
  }

  private takeOver(call: CallState, instance: string): void {
    if (!('holder' in call)) return;
    const ended = this.streams.ended.get(call.holder);
    if (ended === undefined) return;
    const { stream, revision, reason } = ended;
    const leaseEnded = { stream, revision };
    this.streams.onCall(
      call.callId,
      { type: 'TakeOver', instance, endedInstance: call.holder, leaseEnded, reason },
      by(instance),
    );
  }

  private commit(call: CallState & { readonly status: 'running' }): void {
    const { callId, holder: instance, epoch, terms, silentRun } = call;
    const readback: ReadbackEffect | undefined =
      terms.effectClass === 'reconcilable' ? this.readback() : undefined;
    const outcome: Outcome = this.cancelled.has(callId)
      ? 'interrupted'
      : (this.draw.of(ranOutcomes) ?? 'failed');
    const fits = (['none', 'applied', 'unknown'] as const).filter(
      (effect) =>
        effectFits({
          effectClass: terms.effectClass,
          outcome,
          effect,
          silentRun,
          ...(readback && { readback }),
        }) &&
        (effect !== 'none' || readback !== undefined || effectIfNeverBegun(call) === 'none'),
    );
    const evidence = readback && { readback: { effect: readback, evidence: null } };
    const result = {
      outcome,
      effect: this.draw.of(fits) ?? 'unknown',
      content: text(outcome),
      digest: this.draw.digest(),
      ...evidence,
    };
    const written = this.streams.onCall(
      callId,
      { type: 'CommitResult', instance, epoch, result },
      by(instance),
    );
    if (written.kind === 'rejected') throw new Error(`a fitting result was refused: ${written.code}`);
  }

  private reconcile(call: CallState, instance: string): void {
    if (call.status !== 'reconciling') return;
    const { callId, epoch, terms } = call;
    const tool = {
      effectClass: terms.effectClass,
      // So that the record needs no catalogue to be judged by.
      fenced: false,
      hasReadback: hasReadback(call),
      sameDefinition: true,
    };
    const next = reconcile(call, tool, terms.onDoubt);
    const as = { instance, epoch };
    const readback = call.readback && {
      readback: { effect: call.readback.effect, evidence: call.readback.evidence },
    };
    const commit = (outcome: Outcome, effect: 'none' | 'applied' | 'unknown') =>
      this.streams.onCall(
        callId,
        {
          type: 'CommitResult',
          ...as,
          result: { outcome, effect, content: text('reconciled'), digest: this.draw.digest(), ...readback },
        },
        by(instance),
      );
    const write = () => {
      switch (next.do) {
        case 'read_back':
          return this.streams.onCall(
            callId,
            { type: 'RecordReadback', ...as, effect: this.readback(), evidence: null },
            by(instance),
          );
        case 'run_again':
          return this.streams.onCall(
            callId,
            {
              type: 'Rerun',
              ...as,
              deadline: this.deadline(),
              definitionDigest: digest('e'),
              fenced: tool.fenced,
            },
            by(instance),
          );
        case 'commit_applied':
          return commit('succeeded', 'applied');
        case 'settle':
          return commit(next.outcome, next.effect);
        case 'hold':
          return this.streams.onCall(
            callId,
            { type: 'HoldDoubt', ...as, deadline: this.deadline(), evidence: [] },
            by(instance),
          );
      }
    };
    const written = write();
    if (written.kind === 'rejected') throw new Error(`${next.do} was offered and refused: ${written.code}`);
  }

  private deadline(): string {
    return timeOf(this.streams.nowMs + 60_000);
  }

  private readback(): ReadbackEffect {
    return this.draw.of(['applied', 'not_applied', 'unknown'] as const) ?? 'unknown';
  }
}

const by = (instance: string): Actor => ({ service: 'tool-executor', instance });
const classesThatMayAsk: ReadonlySet<EffectClass> = new Set(['reconcilable', 'irreversible']);
const hasReadback = (call: CallState): boolean => {
  const { effectClass } = call.staged.data;
  return effectClass !== undefined && classesThatMayAsk.has(effectClass);
};
