/** One simulated run: a phase with faults, then one without in which everything must settle. */
import type { Actor } from '@writ/contracts';
import { pendingApproval } from '../../approval';
import { resolvedResult } from '../../tool-call';
import { digest } from '../facts';
import { timeOf } from '../journal';
import { Draw } from './draw';
import { Executors } from './executors';
import { Owner } from './owner';
import { Streams } from './streams';

/** Looks of the owner after which a run that still has something open is called stuck. */
const mostLooks = 5_000;
const jumps = [100, 1_000, 1_000, 5_000, 10_000, 60_000, 60_000, 1_000_000] as const;
const desk: Actor = { service: 'approval-service', person: 'ann' };

export class SimulatedRun {
  readonly streams = new Streams();
  private readonly executors: Executors;
  private readonly owner: Owner;
  private readonly draw: Draw;

  constructor(numbers: readonly number[]) {
    this.draw = new Draw(numbers);
    this.executors = new Executors(this.streams, this.draw);
    this.owner = new Owner(this.streams, this.executors, this.draw);
    this.executors.start();
    this.executors.start();
    this.owner.startTurn();
  }

  withFaults(): void {
    const acts: readonly (readonly [number, () => void])[] = [
      [8, () => this.ownerDoesOne()],
      [5, () => this.executors.takeWake()],
      [4, () => this.executors.work()],
      [2, () => this.deskActs()],
      [2, () => this.personAnswers()],
      [2, () => this.executors.lose()],
      [2, () => this.executors.start()],
      [1, () => this.executors.commitLate()],
      [1, () => this.owner.succeed()],
      [1, () => this.interrupt()],
      [2, () => this.timePasses()],
      [2, () => this.owner.startTurn()],
    ];
    const weighted = acts.flatMap(([weight, act]) => Array.from({ length: weight }, () => act));
    while (!this.draw.isEmpty) this.draw.of(weighted)?.();
  }

  /** Nobody fails any more, nobody answers, and time passes only as far as the owner asks to be reminded. */
  withoutFaults(executors: boolean): void {
    this.owner.succeed();
    if (executors) this.executors.start();
    for (let looks = 0; looks < mostLooks; looks += 1) {
      const { lease, turn } = this.streams.session;
      if (lease === null && turn?.status !== 'open' && this.streams.openCalls().length === 0) return;
      const work = this.owner.pending();
      const [first] = work;
      if (first === undefined) throw new Error('the session has no owner');
      for (const item of work) if (isRepeatable(item.do)) this.owner.do(item);
      if (!isRepeatable(first.do)) this.owner.do(first);
      else
        this.streams.nowMs += work.flatMap((item) => (item.do === 'look_again' ? [item.inMs] : []))[0] ?? 0;
      this.executors.takeWake();
      this.executors.work();
      this.deskActs();
    }
    throw new Error('something never settled');
  }

  private interrupt(): void {
    if (this.draw.chance(8)) this.owner.interruptRequested = true;
  }

  private timePasses(): void {
    this.streams.nowMs += this.draw.of(jumps) ?? 0;
  }

  private ownerDoesOne(): void {
    const work = this.draw.of(this.owner.pending());
    if (work !== undefined) this.owner.do(work);
  }

  /** The approval-service does what it owes a call that it was woken for. */
  private deskActs(): void {
    const callId = this.draw.of([...this.owner.asked]);
    if (callId === undefined) return;
    const call = this.streams.call(callId);
    const work = pendingApproval(call, this.streams.nowMs);
    if (work.do === 'request')
      this.streams.onCall(
        callId,
        {
          type: 'RequestApproval',
          ...{ sessionId: call.sessionId, stagedRevision: call.staged.revision },
          ...{
            argsDigest: digest('d'),
            previewDigest: digest('1'),
            deadline: timeOf(this.streams.nowMs + 60_000),
          },
        },
        desk,
      );
    if (work.do === 'expire') this.streams.onCall(callId, { type: 'Expire', ...this.answer() }, desk);
    if (work.do === 'nothing') this.owner.asked.delete(callId);
  }

  private personAnswers(): void {
    const callId = this.draw.of(this.streams.openCalls());
    if (callId === undefined) return;
    const call = this.streams.call(callId);
    const said = { by: 'ann', authentication: 'local', evidence: null };
    if (call.status === 'awaiting_approval')
      this.streams.onCall(callId, { type: this.draw.chance(3) ? 'Deny' : 'Grant', ...this.answer() }, desk);
    if (call.status !== 'held') return;
    if (this.draw.chance(2))
      this.streams.onCall(
        callId,
        { type: 'ResolveDoubt', ...said, effect: 'not_applied', rerun: true },
        desk,
      );
    const effect = this.draw.of(['applied', 'not_applied', 'unknown'] as const) ?? 'unknown';
    const result = { ...resolvedResult(effect), content: [], digest: this.draw.digest() };
    this.streams.onCall(callId, { type: 'ResolveDoubt', ...said, effect, rerun: false, result }, desk);
  }

  private answer() {
    return {
      ...{
        by: 'ann',
        authentication: 'local',
        decidedAt: timeOf(this.streams.nowMs),
        argsDigest: digest('d'),
      },
      result: { content: [], digest: this.draw.digest() },
    };
  }
}

/** Carried out again and again without harm, until something else happens. */
const isRepeatable = (what: string): boolean =>
  ['wake_executor', 'wake_approvals', 'cancel', 'look_again'].includes(what);
