import type { ReadReq } from '@eventstore/db-client/generated/streams_pb';
import type { EventIndex } from '../engine/event-index';
import type { Stream } from '../engine/stream-catalogue';
import { firstShownRevision, oldestShownMs, visibleLength } from '../engine/stream-reading';
import { PAGE_EVENTS } from '../limits';
import type { SubscriptionSource, SubscriptionStep } from './subscription-source';

export interface StreamSourceOptions {
  index: EventIndex;
  now: () => number;
  name: string;
  options: ReadReq.Options;
}

/** A subscription to one stream, which need not exist yet. */
export class StreamSource implements SubscriptionSource {
  private readonly stream: Stream;
  private revision: number;

  constructor(private readonly source: StreamSourceOptions) {
    this.stream = source.index.streams.ensure(source.name);
    const start = source.options.getStream();
    // The revision that a subscription names is the last one its reader has.
    if (start?.hasRevision()) this.revision = Number(start.getRevision()) + 1;
    else this.revision = start?.hasEnd() ? visibleLength(source.index, this.stream) : 0;
  }

  next(): SubscriptionStep {
    const { index } = this.source;
    const { tombstone } = this.stream;
    if (tombstone >= 0 && tombstone < index.visible) return { kind: 'deleted' };
    const length = visibleLength(index, this.stream);
    this.revision = Math.max(this.revision, Math.min(length, firstShownRevision(this.stream, length)));
    const lag = length - this.revision;
    if (lag <= 0) return { kind: 'nothing' };
    const oldestMs = oldestShownMs(this.stream, this.source.now());
    const wanted: number[] = [];
    while (this.revision < length && wanted.length < PAGE_EVENTS) {
      const sequence = this.stream.events[this.revision++];
      if (sequence !== undefined && index.table.createdMs(sequence) >= oldestMs) wanted.push(sequence);
    }
    return { kind: 'events', wanted, lag };
  }

  liveCheckpoint(): undefined {
    return undefined;
  }
}
