import type { StreamView } from './check-append';
import { decodeEvent, type StoredEvent } from './event-codec';
import { EventTable } from './event-table';
import type { RecentIds } from './recent-ids';
import { type Stream, StreamCatalogue } from './stream-catalogue';
import {
  describedStream,
  metadataStreamOf,
  parseStreamMetadata,
  type StreamMetadata,
} from './stream-metadata';

interface MetadataChange {
  sequence: number;
  stream: Stream;
  metadata: StreamMetadata;
}

/** Which events exist, in which streams, and how far readers may see. Kept in memory, rebuilt from the log at start. */
export class EventIndex {
  readonly table = new EventTable();
  readonly streams = new StreamCatalogue();
  private shown = 0;
  private shownEnd = 0;
  private unseenMetadata: MetadataChange[] = [];

  /** Events with a sequence below this are on stable storage. */
  get visible(): number {
    return this.shown;
  }

  /** Offset of the log up to which events are visible. */
  get visibleEnd(): number {
    return this.shownEnd;
  }

  /** Adds the event that stands at `position` of the log; it stays invisible until `publish`. */
  add(event: StoredEvent, position: number, size: number): void {
    const stream = this.streams.ensure(event.stream);
    const sequence = this.table.add(event, { position, size, stream: stream.number });
    if (event.tombstone) {
      stream.tombstone = sequence;
      return;
    }
    if (event.revision !== stream.events.length) {
      throw new Error(
        `event ${event.revision} of stream ${event.stream} follows ${stream.events.length - 1}`,
      );
    }
    stream.events.push(sequence);
    const described = describedStream(event.stream);
    if (described !== undefined) this.changeMetadata(this.streams.ensure(described), sequence, event.data);
  }

  /** Adds every event of a record that was read from the log. */
  addRecord(payload: Buffer, payloadOffset: number): void {
    let at = 0;
    while (at < payload.length) {
      const { event, size } = decodeEvent(payload, at);
      this.add(event, payloadOffset + at, size);
      at += size;
    }
  }

  /** Everything before `end` of the log is on stable storage. */
  publish(end: number): void {
    let visible = this.shown;
    while (visible < this.table.count && this.table.position(visible) < end) visible++;
    this.shown = visible;
    this.shownEnd = end;
    for (const change of this.unseenMetadata) {
      if (change.sequence < visible) change.stream.visibleMetadata = change.metadata;
    }
    this.unseenMetadata = this.unseenMetadata.filter((change) => change.sequence >= visible);
  }

  /** A stream as the next append finds it. */
  viewForAppend(name: string, recent: RecentIds): StreamView {
    const stream = this.streams.find(name);
    const described = this.streams.find(metadataStreamOf(name));
    return {
      current: (stream?.events.length ?? 0) - 1,
      tombstoned: stream !== undefined && stream.tombstone >= 0,
      softDeleted: stream?.metadata.softDeleted ?? false,
      hasMetadata: described !== undefined && described.events.length > 0,
      hasIdAt: (revision, id) => {
        const sequence = stream?.events[revision];
        return sequence !== undefined && this.table.hasId(sequence, id);
      },
      recentRevisionOf: (id) => recent.revisionOf(id, name),
    };
  }

  private changeMetadata(stream: Stream, sequence: number, body: Uint8Array): void {
    const metadata = parseStreamMetadata(body);
    stream.metadata = metadata;
    this.unseenMetadata.push({ sequence, stream, metadata });
  }
}
