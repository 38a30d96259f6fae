import type {
  OpenSessionRequest,
  SessionItem,
  ToolTable,
  TranscriptFormat,
  WorkState,
} from '@writ/contracts';
import { openSessions, sessionItems } from '@writ/protocol';
import { renderTranscript } from '@writ/audit';
import {
  openSession,
  refused,
  runtimeLimits,
  Sessions,
  toolTableBody,
  usableTable,
  type EventStore,
  type Instance,
  type ProjectionRunner,
  type Refused,
  type SessionPorts,
  type SessionRules,
} from '@writ/runtime';

export interface DeskParts {
  readonly ports: SessionPorts;
  readonly rules: SessionRules;
  readonly instance: Instance;
  readonly work: ProjectionRunner<WorkState>;
}

/** What the orchestrator's handlers call: one method per request, no rule of its own. */
export class Desk {
  readonly sessions: Sessions;
  readonly store: EventStore;
  private readonly stopping = new AbortController();
  private recovering: Promise<void> | undefined;

  constructor(private readonly parts: DeskParts) {
    this.sessions = new Sessions(parts.ports, parts.rules);
    this.store = parts.ports.store;
  }

  /** Takes up what nobody holds, now and for as long as this process lives. */
  start(): void {
    this.recovering = this.recoverNowAndThen();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.recovering;
    await this.sessions.stop();
  }

  openSession(request: OpenSessionRequest): Promise<{ sessionId: string } | Refused> {
    const { actor } = this.parts.instance.context();
    return openSession(this.parts.ports, this.parts.rules, { request, context: { actor } });
  }

  listSessions(page: { readonly after?: string | undefined; readonly limit: number }): {
    items: SessionItem[];
    next?: string;
  } {
    const items = sessionItems(this.parts.work.current, { after: page.after, limit: page.limit + 1 });
    const last = items.at(page.limit - 1);
    const more = items.length > page.limit && last !== undefined;
    return { items: items.slice(0, page.limit), ...(more ? { next: last.sessionId } : {}) };
  }

  async toolTable(sessionId: string): Promise<ToolTable | Refused> {
    const memory = await this.sessions.memoryOf(sessionId);
    if ('refused' in memory) return memory;
    const { ports, rules } = this.parts;
    const { platform, toolsets, disabledToolsets } = memory.session.opened;
    const scope = { platform, toolsets, disabledToolsets };
    const { toolsets: config, validation } = rules;
    return toolTableBody(usableTable({ config, scope, manifests: ports.catalog.current(), validation }));
  }

  /** The bytes that `npx writ transcript` prints as well. */
  async transcript(
    sessionId: string,
    options: { readonly format: TranscriptFormat; readonly at?: string | undefined },
  ): Promise<{ text: string } | Refused> {
    const rendered = await renderTranscript(this.store, sessionId, options);
    if (rendered.outcome === 'rendered') return { text: rendered.text };
    if (rendered.outcome === 'not_found') return refused('not_found', 'there is no such session');
    if (rendered.outcome === 'unavailable')
      return refused('store_unavailable', 'the event store does not answer');
    return refused('internal_error', 'the record of this session is damaged');
  }

  /** `ok`, or what is missing in a few words: nothing is decided on half a catalog or half a list. */
  readiness(): string {
    const { ports, work, instance } = this.parts;
    if (!ports.catalog.upToDate) return 'the tools on record are not read yet';
    return work.upToDate ? instance.readiness() : 'the sessions on record are not read yet';
  }

  private async recoverNowAndThen(): Promise<void> {
    const { ports, work } = this.parts;
    while (!this.stopping.signal.aborted) {
      await ports.clock.sleep(runtimeLimits.recoveryEveryMs, this.stopping.signal);
      if (this.stopping.signal.aborted) return;
      if (work.upToDate && ports.lease.instance !== undefined)
        await this.sessions.recover(openSessions(work.current));
    }
  }
}
