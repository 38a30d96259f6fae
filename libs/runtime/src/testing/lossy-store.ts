/** A log in memory for specs of what a writer makes of lost answers; the real ones are the event-store library's. */
import type { RecordedEvent } from '@writ/contracts';
import type { AppendOutcome, EventStore, EventToAppend, ExpectedRevision, ReadOutcome } from '../ports';

/** `unheard`: nobody learns that it was stored. `late`: the same, and not to be read before `arrive`. */
export type NextAppend = 'heard' | 'unheard' | 'late' | 'lost';

export class LossyStore implements EventStore {
  /** What becomes of the next appends, one after the other; then they are heard. */
  readonly next: NextAppend[] = [];
  /** While true nothing can be read. */
  away = false;
  private readonly streams = new Map<string, RecordedEvent[]>();
  private readonly late: (() => void)[] = [];
  private position = 0;

  append(
    stream: string,
    expected: ExpectedRevision,
    events: readonly EventToAppend[],
  ): Promise<AppendOutcome> {
    const how = this.next.shift() ?? 'heard';
    const outcome = how === 'heard' || how === 'unheard' ? this.store(stream, expected, events) : undefined;
    if (how === 'late') this.late.push(() => void this.store(stream, expected, events));
    return Promise.resolve(
      outcome === undefined || how === 'unheard' ? { outcome: 'unknown', cause: 'store_timeout' } : outcome,
    );
  }

  /** What was on its way is handled now, as if it had just come. */
  arrive(): void {
    for (const handle of this.late.splice(0)) handle();
  }

  types(stream: string): readonly string[] {
    return (this.streams.get(stream) ?? []).map(({ type }) => type);
  }

  readStream(
    stream: string,
    { direction, from, maxCount }: Parameters<EventStore['readStream']>[1],
  ): Promise<ReadOutcome> {
    if (this.away) return Promise.resolve({ outcome: 'unavailable', cause: 'store_unavailable' });
    const stored = this.streams.get(stream);
    if (stored === undefined) return Promise.resolve({ outcome: 'not_found' });
    const first = typeof from === 'number' ? from : 0;
    const events = direction === 'forwards' ? stored.slice(first) : [...stored].reverse();
    return Promise.resolve({ outcome: 'events', events: events.slice(0, maxCount) });
  }

  readAll(): Promise<ReadOutcome> {
    return Promise.resolve({ outcome: 'events', events: [] });
  }

  follow(): { close(): Promise<void> } {
    return { close: () => Promise.resolve() };
  }

  capStream(): Promise<AppendOutcome> {
    return Promise.resolve({ outcome: 'acknowledged', revision: 0, repeated: false });
  }

  ping(): Promise<boolean> {
    return Promise.resolve(!this.away);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  private store(stream: string, expected: ExpectedRevision, events: readonly EventToAppend[]): AppendOutcome {
    const stored = this.streams.get(stream) ?? [];
    const head = stored.length === 0 ? 'no_stream' : stored.length - 1;
    if (head !== expected) return { outcome: 'conflict', actual: head };
    for (const event of events) {
      const position = String((this.position += 1));
      stored.push({ ...event, stream, revision: stored.length, position, type: event.type });
    }
    this.streams.set(stream, stored);
    return {
      outcome: 'acknowledged',
      revision: stored.length - 1,
      position: String(this.position),
      repeated: false,
    };
  }
}
