import type { Approval, InDoubtItem, Json, WorkState } from '@writ/contracts';
import { inDoubt, pendingApprovals, type CallAt } from '@writ/protocol';
import { loadCall, readArguments, type EventStore, type ProjectionRunner } from '@writ/runtime';

/** What waits for a person. The projection says where to look, the streams say what is there (protocol 2). */
export class Desk {
  constructor(
    private readonly store: EventStore,
    private readonly work: ProjectionRunner<WorkState>,
  ) {}

  async pending(page: {
    readonly after?: string | undefined;
    readonly limit: number;
  }): Promise<{ items: Approval[]; next?: string }> {
    return this.page(pendingApprovals(this.work.current), page, (call) => this.approval(call));
  }

  async inDoubt(page: {
    readonly after?: string | undefined;
    readonly limit: number;
  }): Promise<{ items: InDoubtItem[]; next?: string }> {
    return this.page(inDoubt(this.work.current), page, (call) => this.doubt(call));
  }

  private async page<T>(
    calls: readonly CallAt[],
    { after, limit }: { readonly after?: string | undefined; readonly limit: number },
    item: (call: CallAt) => Promise<T | undefined>,
  ): Promise<{ items: T[]; next?: string }> {
    const begin = after === undefined ? 0 : calls.findIndex(({ callId }) => callId === after) + 1;
    const shown = calls.slice(begin, begin + limit);
    const items = (await Promise.all(shown.map(item))).filter((found) => found !== undefined);
    const last = shown.at(-1);
    return { items, ...(last !== undefined && begin + limit < calls.length ? { next: last.callId } : {}) };
  }

  private async approval(call: CallAt): Promise<Approval | undefined> {
    const loaded = await loadCall(this.store, call);
    if (loaded.outcome !== 'call' || loaded.state.status !== 'awaiting_approval') return undefined;
    const { staged, terms } = loaded.state;
    const { data, metadata } = staged;
    const args = argumentsOf(data.rawArguments);
    const { requested } = call.asked ?? {};
    return {
      callId: data.callId,
      sessionId: data.sessionId,
      turnId: data.turnId,
      tool: terms.tool,
      args,
      argsDigest: data.argsDigest,
      preview: `${terms.tool} ${JSON.stringify(args)}`,
      rule: data.rule,
      ...(data.reason === undefined ? {} : { reason: data.reason }),
      requestedAt: requested?.at ?? metadata.at,
      ...(requested === undefined ? {} : { deadline: requested.deadline }),
      status: 'pending',
    };
  }

  private async doubt(call: CallAt): Promise<InDoubtItem | undefined> {
    const loaded = await loadCall(this.store, call);
    if (loaded.outcome !== 'call') return undefined;
    const { state } = loaded;
    if (state.status !== 'running' && state.status !== 'reconciling' && state.status !== 'held')
      return undefined;
    const { data } = state.staged;
    return {
      callId: data.callId,
      sessionId: data.sessionId,
      tool: state.terms.tool,
      args: argumentsOf(data.rawArguments),
      argsDigest: data.argsDigest,
      effectClass: state.terms.effectClass,
      epoch: state.epoch,
      since: call.holder?.doubtSince ?? call.held?.at ?? state.staged.metadata.at,
      evidence: state.status === 'held' ? [...state.evidence] : [],
    };
  }
}

function argumentsOf(raw: string): { [key: string]: Json } {
  const read = readArguments(raw);
  return read.ok ? { ...read.args } : {};
}
