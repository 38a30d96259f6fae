import type { Approval, InDoubtItem, WorkState } from '@writ/contracts';
import { inDoubt, pendingApprovals, type CallAt } from '@writ/protocol';
import { loadCall } from '../call/load-call';
import type { EventStore } from '../ports';
import type { ProjectionRunner } from '../projection/projection-runner';
import { previewOf, shownArguments } from './preview';

export interface Page {
  /** The last call of the page before. */
  readonly after?: string | undefined;
  readonly limit: number;
}
export interface Listed<T> {
  readonly items: T[];
  readonly next?: string;
}

/** What waits for a person. The projection says where to look, the streams say what is there (protocol 2). */
export class ApprovalLists {
  constructor(
    private readonly store: EventStore,
    private readonly work: ProjectionRunner<WorkState>,
  ) {}

  approvals(page: Page): Promise<Listed<Approval>> {
    return pageOf(pendingApprovals(this.work.current), page, (call) => this.approval(call));
  }

  inDoubt(page: Page): Promise<Listed<InDoubtItem>> {
    return pageOf(inDoubt(this.work.current), page, (call) => this.doubt(call));
  }

  private async approval(call: CallAt): Promise<Approval | undefined> {
    const loaded = await loadCall(this.store, call);
    if (loaded.outcome !== 'call' || loaded.state.status !== 'awaiting_approval') return undefined;
    const { staged, terms } = loaded.state;
    const { data, metadata } = staged;
    const { requested } = call.asked ?? {};
    return {
      callId: data.callId,
      sessionId: data.sessionId,
      turnId: data.turnId,
      tool: terms.tool,
      args: shownArguments(data.rawArguments),
      argsDigest: data.argsDigest,
      preview: previewOf(terms.tool, data.rawArguments).preview,
      rule: data.rule,
      ...(data.reason === undefined ? {} : { reason: data.reason }),
      requestedAt: requested?.at ?? metadata.at,
      ...(requested === undefined ? {} : { deadline: requested.deadline }),
      status: 'pending',
    };
  }

  private async doubt(call: CallAt): Promise<InDoubtItem | undefined> {
    const loaded = await loadCall(this.store, call);
    if (loaded.outcome !== 'call' || !('epoch' in loaded.state)) return undefined;
    const { state } = loaded;
    const { data, metadata } = state.staged;
    return {
      callId: data.callId,
      sessionId: data.sessionId,
      tool: state.terms.tool,
      args: shownArguments(data.rawArguments),
      argsDigest: data.argsDigest,
      effectClass: state.terms.effectClass,
      epoch: state.epoch,
      since: call.holder?.doubtSince ?? call.held?.at ?? metadata.at,
      evidence: state.status === 'held' ? [...state.evidence] : [],
    };
  }
}

async function pageOf<T>(
  calls: readonly CallAt[],
  { after, limit }: Page,
  itemOf: (call: CallAt) => Promise<T | undefined>,
): Promise<Listed<T>> {
  const begin = after === undefined ? 0 : calls.findIndex(({ callId }) => callId === after) + 1;
  const shown = calls.slice(begin, begin + limit);
  const items = (await Promise.all(shown.map(itemOf))).filter((item) => item !== undefined);
  const last = shown.at(-1);
  return { items, ...(last !== undefined && begin + limit < calls.length ? { next: last.callId } : {}) };
}
