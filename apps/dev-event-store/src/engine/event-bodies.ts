import { READ_GAP_BYTES, RECENT_EVENTS_BYTES } from '../limits';
import type { LogDisk } from '../log/log-disk';
import { decodeEvent, type StoredEvent } from './event-codec';
import type { EventTable } from './event-table';

/** The bodies of events: the recent ones from memory, older ones from the log. */
export class EventBodies {
  private readonly recent = new Map<number, Buffer>();
  private bytes = 0;

  constructor(
    private readonly table: EventTable,
    private readonly disk: LogDisk,
    private readonly limitBytes = RECENT_EVENTS_BYTES,
  ) {}

  /** Keeps an encoded event in memory until newer ones need the room. */
  remember(sequence: number, encoded: Buffer): void {
    this.recent.set(sequence, encoded);
    this.bytes += encoded.length;
    for (const [oldest, body] of this.recent) {
      if (this.bytes <= this.limitBytes) return;
      this.recent.delete(oldest);
      this.bytes -= body.length;
    }
  }

  /** The events of these sequences, in the order asked for. */
  async load(sequences: readonly number[]): Promise<StoredEvent[]> {
    const encoded = new Map<number, Buffer>();
    const missing: number[] = [];
    for (const sequence of sequences) {
      const body = this.recent.get(sequence);
      if (body === undefined) missing.push(sequence);
      else encoded.set(sequence, body);
    }
    missing.sort((a, b) => a - b);
    for (const run of this.runs(missing)) await this.read(run, encoded);
    return sequences.map((sequence) => this.decoded(sequence, encoded.get(sequence)));
  }

  /** Groups neighbours in the log, so that one disk read fetches many. */
  private runs(sequences: readonly number[]): number[][] {
    const runs: number[][] = [];
    let end = -Infinity;
    for (const sequence of sequences) {
      const position = this.table.position(sequence);
      const last = runs.at(-1);
      if (last === undefined || position - end > READ_GAP_BYTES) runs.push([sequence]);
      else last.push(sequence);
      end = position + this.table.size(sequence);
    }
    return runs;
  }

  private async read(run: readonly number[], encoded: Map<number, Buffer>): Promise<void> {
    const first = run[0];
    const last = run.at(-1);
    if (first === undefined || last === undefined) return;
    const start = this.table.position(first);
    const bytes = await this.disk.read(start, this.table.position(last) + this.table.size(last) - start);
    for (const sequence of run) {
      const at = this.table.position(sequence) - start;
      encoded.set(sequence, bytes.subarray(at, at + this.table.size(sequence)));
    }
  }

  private decoded(sequence: number, encoded: Buffer | undefined): StoredEvent {
    if (encoded === undefined) throw new Error(`event ${sequence} was not loaded`);
    return decodeEvent(encoded, 0).event;
  }
}
