import { randomUUID } from 'node:crypto';
import { MAX_APPEND_BYTES, MAX_PENDING_BYTES, MAX_RECORD_BYTES } from '../limits';
import { FRAME_HEADER_BYTES } from '../log/frame';
import type { GroupCommit } from '../log/group-commit';
import { checkAppend, type Expected } from './check-append';
import type { EventBodies } from './event-bodies';
import { encodedSize, encodeEvent, type StoredEvent } from './event-codec';
import type { EventIndex } from './event-index';
import { RecentIds } from './recent-ids';
import {
  describedStream,
  METADATA_EVENT,
  metadataStreamOf,
  parseStreamMetadata,
  reopenedMetadata,
  SOFT_DELETE_BODY,
  TOMBSTONE_EVENT,
} from './stream-metadata';

export interface ProposedEvent {
  /** 16 bytes. */
  id: Buffer;
  type: string;
  json: boolean;
  data: Uint8Array;
  metadata: Uint8Array;
}

export interface AppendCommand {
  stream: string;
  expected: Expected;
  events: readonly ProposedEvent[];
}

export type WriteOutcome =
  /** `lastRevision` is -1 where an empty append found no stream; `position` is absent where nothing was stored. */
  | { kind: 'written'; lastRevision: number; position?: number }
  | { kind: 'wrong_expected_version'; current: number }
  | { kind: 'stream_deleted' }
  | { kind: 'too_large' }
  | { kind: 'too_busy' }
  /** The server is stopping. */
  | { kind: 'not_ready' };

export interface WriterParts {
  index: EventIndex;
  bodies: EventBodies;
  commit: GroupCommit;
  now: () => number;
  /** Bytes that may wait for the disk. */
  maxPendingBytes?: number;
}

const NO_BYTES = new Uint8Array(0);

/**
 * Decides appends and deletes in the order in which they arrive. Each decision is made at once, against everything
 * that was accepted before it; no answer leaves before all that it rests on is on stable storage and readable.
 */
export class EventWriter {
  private readonly recent = new RecentIds();
  private closed = false;
  private readonly index: EventIndex;
  private readonly maxPendingBytes: number;

  constructor(private readonly parts: WriterParts) {
    this.index = parts.index;
    this.maxPendingBytes = parts.maxPendingBytes ?? MAX_PENDING_BYTES;
  }

  /** Refuses everything from now on. */
  close(): void {
    this.closed = true;
  }

  /** The revision and position checks happen before this returns; the promise waits for the disk. */
  append(command: AppendCommand): Promise<WriteOutcome> {
    if (this.closed) return Promise.resolve({ kind: 'not_ready' });
    if (sizeOf(command.events) > MAX_APPEND_BYTES) return Promise.resolve({ kind: 'too_large' });
    if (this.parts.commit.pendingBytes > this.maxPendingBytes) return Promise.resolve({ kind: 'too_busy' });
    const view = this.index.viewForAppend(command.stream, this.recent);
    const ids = command.events.map((event) => event.id);
    const decision = checkAppend(view, command.expected, ids);
    switch (decision.kind) {
      case 'append':
        return this.store(command, view.current, view.softDeleted);
      case 'idempotent':
        return this.settled({
          kind: 'written',
          lastRevision: decision.lastRevision,
          position: this.positionOf(command.stream, decision.lastRevision),
        });
      case 'wrong_expected_version':
        return this.settled({ kind: 'wrong_expected_version', current: view.current });
      case 'stream_deleted':
        return this.settled({ kind: 'stream_deleted' });
    }
  }

  /** Soft delete: the stream's metadata says that nothing of it is shown; the next append reopens it. */
  delete(stream: string, expected: Expected): Promise<WriteOutcome> {
    return this.remove(stream, expected, (id, view) => {
      const metadataStream = this.index.streams.ensure(metadataStreamOf(stream));
      if (view.current < 0 && metadataStream.events.length === 0) return undefined;
      return [this.metadataEvent(stream, SOFT_DELETE_BODY, id)];
    });
  }

  /** Hard delete: for ever. */
  tombstone(stream: string, expected: Expected): Promise<WriteOutcome> {
    return this.remove(stream, expected, (id) => [
      {
        id,
        stream,
        type: TOMBSTONE_EVENT,
        json: false,
        tombstone: true,
        revision: 0,
        createdMs: this.parts.now(),
        data: NO_BYTES,
        metadata: NO_BYTES,
      },
    ]);
  }

  private remove(
    stream: string,
    expected: Expected,
    events: (id: Buffer, view: { current: number }) => StoredEvent[] | undefined,
  ): Promise<WriteOutcome> {
    if (this.closed) return Promise.resolve({ kind: 'not_ready' });
    const id = newId();
    const view = this.index.viewForAppend(stream, this.recent);
    const decision = checkAppend(view, expected, [id]);
    if (decision.kind === 'stream_deleted') return this.settled({ kind: 'stream_deleted' });
    const stored = decision.kind === 'append' ? events(id, view) : undefined;
    if (stored === undefined) return this.settled({ kind: 'wrong_expected_version', current: view.current });
    const { first, end } = this.stage(stored);
    return this.after(end, { kind: 'written', lastRevision: view.current, position: first });
  }

  private store(command: AppendCommand, current: number, softDeleted: boolean): Promise<WriteOutcome> {
    const createdMs = this.parts.now();
    const stored: StoredEvent[] = command.events.map((event, index) => ({
      ...event,
      stream: command.stream,
      tombstone: false,
      revision: current + 1 + index,
      createdMs,
    }));
    const lastRevision = current + command.events.length;
    stored.push(...this.reopening(command, current, softDeleted));
    if (stored.length === 0) return this.settled({ kind: 'written', lastRevision });
    if (recordBytes(stored) > MAX_RECORD_BYTES) return Promise.resolve({ kind: 'too_large' });
    const { end } = this.stage(stored);
    for (const event of stored) this.recent.remember(event.id, event.stream, event.revision);
    if (command.events.length === 0) return this.after(end, { kind: 'written', lastRevision });
    const position = this.positionOf(command.stream, lastRevision);
    return this.after(end, { kind: 'written', lastRevision, position });
  }

  /** An append to a soft-deleted stream, or to the metadata of one, reopens it behind its last event. */
  private reopening(command: AppendCommand, current: number, softDeleted: boolean): StoredEvent[] {
    const { streams } = this.index;
    if (softDeleted) {
      const body = reopenedMetadata(streams.ensure(command.stream).metadata, current + 1);
      return [this.metadataEvent(command.stream, body, newId())];
    }
    const name = describedStream(command.stream);
    const described = name === undefined ? undefined : streams.find(name);
    const written = command.events.at(-1);
    if (!described?.metadata.softDeleted || written === undefined) return [];
    const body = reopenedMetadata(parseStreamMetadata(written.data), described.events.length);
    const event = this.metadataEvent(described.name, body, newId());
    return [{ ...event, revision: event.revision + command.events.length }];
  }

  private metadataEvent(stream: string, body: Buffer, id: Buffer): StoredEvent {
    const name = metadataStreamOf(stream);
    return {
      id,
      stream: name,
      type: METADATA_EVENT,
      json: true,
      tombstone: false,
      revision: this.index.streams.ensure(name).events.length,
      createdMs: this.parts.now(),
      data: body,
      metadata: NO_BYTES,
    };
  }

  /** One record for all events of one transaction: it is on the disk whole or not at all. */
  private stage(events: readonly StoredEvent[]): { first: number; end: number } {
    const frame = Buffer.allocUnsafe(FRAME_HEADER_BYTES + recordBytes(events));
    const start = this.parts.commit.end;
    let at = FRAME_HEADER_BYTES;
    for (const event of events) {
      const next = encodeEvent(event, frame, at);
      this.parts.bodies.remember(this.index.table.count, frame.subarray(at, next));
      this.index.add(event, start + at, next - at);
      at = next;
    }
    return { first: start + FRAME_HEADER_BYTES, end: this.parts.commit.stage(frame) };
  }

  private positionOf(stream: string, revision: number): number | undefined {
    const sequence = this.index.streams.find(stream)?.events[revision];
    return sequence === undefined ? undefined : this.index.table.position(sequence);
  }

  /** An answer that stores nothing still rests on what others stored: it waits until that can be read. */
  private settled(outcome: WriteOutcome): Promise<WriteOutcome> {
    return this.after(this.parts.commit.end, outcome);
  }

  private async after(end: number, outcome: WriteOutcome): Promise<WriteOutcome> {
    await this.parts.commit.durable(end);
    return outcome;
  }
}

/** Data, metadata and two bytes per character of the type, as EventStoreDB documents it. */
function sizeOf(events: readonly ProposedEvent[]): number {
  return events.reduce(
    (bytes, event) => bytes + event.data.length + event.metadata.length + 2 * event.type.length,
    0,
  );
}

function recordBytes(events: readonly StoredEvent[]): number {
  return events.reduce((bytes, event) => bytes + encodedSize(event), 0);
}

function newId(): Buffer {
  return Buffer.from(randomUUID().replaceAll('-', ''), 'hex');
}
