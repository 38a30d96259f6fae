/** A log that grows while a spec runs: gives events their revision, position, time and chain as a store and its writers would. */
import type { Actor, NewEvent, WritEvent } from '@writ/contracts';
import { fakeDigest } from './log';

/** The wall time at which the worlds of specs begin. */
export const beginning = Date.parse('2026-01-01T10:00:00.000Z');
export const timeOf = (wallMs: number): string => new Date(wallMs).toISOString();
/** `ms` after the beginning. */
export const after = (ms: number): string => timeOf(beginning + ms);

export class Journal {
  readonly events: WritEvent[] = [];
  private heads = new Map<string, { readonly revision: number; readonly digest: string }>();
  private stagedDigests = new Map<string, string>();

  /** Goes on from here without touching the original. */
  fork(): Journal {
    const copy = new Journal();
    copy.events.push(...this.events);
    copy.heads = new Map(this.heads);
    copy.stagedDigests = new Map(this.stagedDigests);
    return copy;
  }

  append(
    stream: string,
    drafts: readonly NewEvent[],
    by: { readonly actor?: Actor; readonly wallMs?: number } = {},
  ): WritEvent[] {
    return drafts.map((draft) => this.appendOne(stream, draft, by));
  }

  of(stream: string): WritEvent[] {
    return this.events.filter((event) => event.stream === stream);
  }

  private appendOne(
    stream: string,
    draft: NewEvent,
    {
      actor = { service: 'writ' },
      wallMs = beginning + this.events.length,
    }: { actor?: Actor; wallMs?: number },
  ): WritEvent {
    const head = this.heads.get(stream);
    const revision = (head?.revision ?? -1) + 1;
    const predecessor = head?.digest ?? this.stagedDigests.get(stream.replace(/^toolcall-/, '')) ?? null;
    const open = { $correlationId: 's1', schemaVersion: 1 as const, at: timeOf(wallMs), actor, predecessor };
    const place = { id: `event-${this.events.length}`, stream, revision };
    const digest = fakeDigest({ ...place, ...draft, metadata: open });
    this.heads.set(stream, { revision, digest });
    if (draft.type === 'ToolCallStaged') this.stagedDigests.set(draft.data.callId, digest);
    const position = String((this.events.length + 1) * 100);
    const event: WritEvent = { ...place, position, ...draft, metadata: { ...open, digest } };
    this.events.push(event);
    return event;
  }
}
