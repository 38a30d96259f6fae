import { METADATA_STREAM_METADATA, NO_METADATA, type StreamMetadata } from './stream-metadata';

/** One stream: which events it has. Revision r of the stream is `events[r]`, for nothing is ever scavenged. */
export interface Stream {
  readonly number: number;
  readonly name: string;
  /** Sequences of its events, tombstone excluded. */
  readonly events: number[];
  /** Sequence of the tombstone, or -1. */
  tombstone: number;
  /** As of the last append, durable or not: what version checks go by. */
  metadata: StreamMetadata;
  /** As of the last durable append: what readers go by. */
  visibleMetadata: StreamMetadata;
}

export class StreamCatalogue {
  private readonly byName = new Map<string, Stream>();
  private readonly byNumber: Stream[] = [];

  find(name: string): Stream | undefined {
    return this.byName.get(name);
  }

  /** The stream of that name; a new one is empty, which is the same as absent to everybody outside. */
  ensure(name: string): Stream {
    const known = this.byName.get(name);
    if (known !== undefined) return known;
    const metadata = name.startsWith('$$') ? METADATA_STREAM_METADATA : NO_METADATA;
    const stream: Stream = {
      number: this.byNumber.length,
      name,
      events: [],
      tombstone: -1,
      metadata,
      visibleMetadata: metadata,
    };
    this.byName.set(name, stream);
    this.byNumber.push(stream);
    return stream;
  }

  name(number: number): string {
    return this.byNumber[number]?.name ?? '';
  }
}
