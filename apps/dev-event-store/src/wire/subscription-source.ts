import { type EventFilter, wants } from '../engine/all-reading';
import type { EventIndex } from '../engine/event-index';
import { PAGE_EVENTS, SCAN_EVENTS } from '../limits';

export type SubscriptionStep =
  | { kind: 'nothing' }
  | { kind: 'deleted' }
  | {
      kind: 'events';
      /** Sequences to send. */
      wanted: number[];
      /** Position to report after them. */
      checkpoint?: number;
      /** Events that were waiting when the step began. */
      lag: number;
    };

/** Where a subscription takes its events from; it remembers how far it came. */
export interface SubscriptionSource {
  next(): SubscriptionStep;
  /** Position to report when the subscription has caught up. */
  liveCheckpoint(): number | undefined;
}

export interface AllSourceOptions {
  index: EventIndex;
  filter: EventFilter;
  checkpointInterval: number | undefined;
  /** Position behind which it starts, exclusive; undefined: from the start. */
  after: number | undefined;
  /** Starts behind the last event that is visible now. */
  fromEnd: boolean | undefined;
}

export class AllSource implements SubscriptionSource {
  private cursor: number;
  private considered = 0;
  private reported = -1;

  constructor(private readonly options: AllSourceOptions) {
    const { index, after } = options;
    if (options.fromEnd) this.cursor = index.visible;
    else this.cursor = after === undefined ? 0 : index.table.firstAtOrAfter(after + 1, index.visible);
  }

  next(): SubscriptionStep {
    const { index, filter } = this.options;
    const lag = index.visible - this.cursor;
    if (lag === 0) return { kind: 'nothing' };
    const wanted: number[] = [];
    for (let looked = 0; looked < SCAN_EVENTS && this.cursor < index.visible; looked++) {
      const sequence = this.cursor++;
      if (wants(index, sequence, filter)) wanted.push(sequence);
      if (this.checkpointDue()) {
        return { kind: 'events', wanted, checkpoint: this.report(sequence), lag };
      }
      if (wanted.length === PAGE_EVENTS) break;
    }
    return { kind: 'events', wanted, lag };
  }

  liveCheckpoint(): number | undefined {
    const last = this.cursor - 1;
    const due = this.options.checkpointInterval !== undefined && last >= 0 && last !== this.reported;
    return due ? this.report(last) : undefined;
  }

  private checkpointDue(): boolean {
    this.considered += 1;
    return this.considered === this.options.checkpointInterval;
  }

  private report(sequence: number): number {
    this.considered = 0;
    this.reported = sequence;
    return this.options.index.table.position(sequence);
  }
}
