import { streamPrefixes, type EventData, type RecordedEvent } from '@writ/contracts';
import { openRecorded } from '../journal/read';
import type { EventStore, Following, Log } from '../ports';

export type Manifest = EventData<'ToolManifestPublished'>;

/** The newest manifest of every pool, followed from the log. A change never touches a call that is already staged. */
export class ToolCatalog {
  private readonly manifests = new Map<string, Manifest>();
  private readonly following: Following;
  private caughtUp = false;

  constructor(
    store: EventStore,
    private readonly log: Log,
  ) {
    this.following = store.follow({
      of: { prefixes: [streamPrefixes.catalog] },
      after: 'start',
      onEvent: (event) => this.take(event),
      onCaughtUp: () => (this.caughtUp = true),
    });
  }

  /** Whether what was published before this process began has been read. */
  get upToDate(): boolean {
    return this.caughtUp;
  }

  current(): readonly Manifest[] {
    return [...this.manifests.values()].sort((a, b) => (a.pool < b.pool ? -1 : 1));
  }

  close(): Promise<void> {
    return this.following.close();
  }

  private take(recorded: RecordedEvent): void {
    const opened = openRecorded(recorded);
    if (!opened.ok) return this.log.error('event_damaged', { problem: opened.problem });
    if (opened.event.type === 'ToolManifestPublished')
      this.manifests.set(opened.event.data.pool, opened.event.data);
  }
}
