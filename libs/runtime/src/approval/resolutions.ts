import type { ContentPart, Json, ReadbackEffect, WritEvent } from '@writ/contracts';
import { resolvedResult, type CallCommand, type CallState } from '@writ/protocol';
import { writeCall, type CallWrite } from '../call/call-writer';
import { loadStaged } from '../call/load-call';
import { sealResult } from '../executor/result-of-run';
import { runtimeLimits } from '../limits';
import type { ApprovalPorts } from './approvals';

/** What a person says of a held call; `epoch`, where given, is the one under which that person saw it held. */
export interface PersonsResolution {
  readonly effect: ReadbackEffect;
  readonly evidence: Json;
  readonly rerun: boolean;
  readonly epoch?: number | undefined;
  readonly by: string;
  readonly authentication: string;
  readonly decidedAt: string;
}

export type Resolved =
  /** On record: by this answer, or by an equal one before it; `state` is how the call stands now. */
  | {
      readonly result: 'resolved';
      readonly order: WritEvent<'DoubtResolved'>;
      readonly state: CallState;
      readonly isNew: boolean;
    }
  /** Settled, resolved otherwise, or never held; kept as late evidence where the call is settled (R4). */
  | { readonly result: 'too_late'; readonly order?: WritEvent<'DoubtResolved'> }
  /** No epoch is left under which it could run again (R9). */
  | { readonly result: 'no_rerun_left' }
  | { readonly result: 'unresolved' };

/**
 * A person's word on a call in doubt (R9). Without a rerun it settles the call in the same append; with one the call is
 * ready again, and its owner wakes an executor of its pool.
 */
export class Resolutions {
  constructor(private readonly ports: ApprovalPorts) {}

  async resolve(from: CallState, answer: PersonsResolution): Promise<Resolved> {
    let state = from;
    for (let tries = 0; tries < runtimeLimits.lateEvidenceTries; tries += 1) {
      if (!isOfThisDoubt(state, answer)) return this.tooLate(state, answer);
      const write = await this.write(state, commandOf(answer));
      if (write.result === 'unresolved') return { result: 'unresolved' };
      if (write.result === 'not_allowed')
        return write.code === 'epochs_must_not_be_used_up'
          ? { result: 'no_rerun_left' }
          : this.tooLate(state, answer);
      const order = write.result === 'stands' ? write.events.find(isResolution) : undefined;
      if (order !== undefined) return { result: 'resolved', order, state: write.state, isNew: true };
      state = write.state;
    }
    return { result: 'unresolved' };
  }

  private async tooLate(state: CallState, answer: PersonsResolution): Promise<Resolved> {
    const loaded = await loadStaged(this.ports.store, state.staged);
    if (loaded.outcome !== 'call') return { result: 'unresolved' };
    const order = loaded.events.findLast(isResolution);
    const isSame = order?.data.effect === answer.effect && order.data.rerun === answer.rerun;
    if (order !== undefined && isSame)
      return { result: 'resolved', order, state: loaded.state, isNew: false };
    await this.keepAsEvidence(loaded.state, answer);
    return { result: 'too_late', ...(order !== undefined && { order }) };
  }

  /** Nobody's later event makes evidence less true: appended at the revision read, and again on conflict. */
  private async keepAsEvidence(now: CallState, answer: PersonsResolution): Promise<void> {
    const { by, decidedAt, effect, evidence, rerun } = answer;
    let state = now;
    for (let tries = 0; tries < runtimeLimits.lateEvidenceTries; tries += 1) {
      const write = await this.write(state, {
        type: 'RecordLateDecision',
        ...{ by, decidedAt, answer: rerun ? `${effect}, rerun` : effect, comment: JSON.stringify(evidence) },
      });
      if (write.result !== 'overtaken') return;
      state = write.state;
    }
  }

  private write(state: CallState, command: CallCommand): Promise<CallWrite> {
    const context = {
      ...this.ports.context(),
      correlationId: state.sessionId,
      causationId: state.staged.id,
    };
    return writeCall(this.ports, state, { command, context, patience: 'one_try' });
  }
}

const isResolution = (event: WritEvent): event is WritEvent<'DoubtResolved'> =>
  event.type === 'DoubtResolved';

/** An answer repeated after its rerun came into doubt again is not a second order. */
const isOfThisDoubt = (state: CallState, { epoch }: PersonsResolution): boolean =>
  state.status !== 'held' || epoch === undefined || state.epoch === epoch;

function commandOf({ by, authentication, effect, evidence, rerun }: PersonsResolution): CallCommand {
  const said = { type: 'ResolveDoubt' as const, by, authentication, effect, evidence };
  if (rerun) return { ...said, rerun };
  const result = sealResult({
    ...resolvedResult(effect),
    code: 'resolved_by_person',
    content: contentOf(effect, evidence),
    readback: { effect, evidence },
  });
  return { ...said, rerun, result };
}

const texts: { readonly [effect in ReadbackEffect]: string } = {
  applied: 'Its executor was lost; a person found that the call took effect.',
  not_applied: 'Its executor was lost; a person found that the call had no effect. It was not run again.',
  unknown: 'Its executor was lost; a person could not find out whether the call took effect.',
};

const contentOf = (effect: ReadbackEffect, evidence: Json): ContentPart[] => [
  { type: 'text', text: texts[effect] },
  { type: 'json', value: { evidence } },
];
