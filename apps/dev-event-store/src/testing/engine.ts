import { randomUUID } from 'node:crypto';
import { EventBodies } from '../engine/event-bodies';
import type { StoredEvent } from '../engine/event-codec';
import { EventIndex } from '../engine/event-index';
import { EventWriter, type ProposedEvent } from '../engine/event-writer';
import { GroupCommit } from '../log/group-commit';
import { LOG_HEADER_BYTES } from '../log/header';
import { MemoryDisk } from './memory-disk';

/** The engine over a disk in memory, with a clock that the test sets. */
export class TestEngine {
  readonly disk = new MemoryDisk();
  readonly index = new EventIndex();
  readonly bodies: EventBodies;
  readonly commit: GroupCommit;
  readonly writer: EventWriter;
  nowMs = 1_700_000_000_000;
  fatal: unknown;

  constructor(limits: { recentBytes?: number; maxPendingBytes?: number } = {}) {
    this.bodies = new EventBodies(this.index.table, this.disk, limits.recentBytes);
    this.commit = new GroupCommit({
      disk: this.disk,
      storeSeed: 1,
      end: LOG_HEADER_BYTES,
      onDurable: (end) => this.index.publish(end),
      onFatal: (error) => (this.fatal = error),
    });
    const { index, bodies, commit } = this;
    this.writer = new EventWriter({
      index,
      bodies,
      commit,
      now: () => this.nowMs,
      maxPendingBytes: limits.maxPendingBytes,
    });
  }
}

export function proposed(type = 'Happened', change: Partial<ProposedEvent> = {}): ProposedEvent {
  return {
    id: newId(),
    type,
    json: true,
    data: Buffer.from('{}'),
    metadata: Buffer.alloc(0),
    ...change,
  };
}

export function stored(change: Partial<StoredEvent> = {}): StoredEvent {
  return {
    ...proposed(),
    stream: 'stream',
    tombstone: false,
    revision: 0,
    createdMs: 1_700_000_000_000,
    ...change,
  };
}

export function newId(): Buffer {
  return Buffer.from(randomUUID().replaceAll('-', ''), 'hex');
}
