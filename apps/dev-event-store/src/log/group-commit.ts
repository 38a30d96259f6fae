import { MAX_GROUP_BYTES } from '../limits';
import { sealFrame } from './frame';
import type { LogDisk } from './log-disk';

export interface GroupCommitOptions {
  disk: LogDisk;
  storeSeed: number;
  /** Offset at which the next record goes; everything before is on stable storage. */
  end: number;
  /** Everything before `end` is on stable storage now. Called before any waiter of `durable` goes on. */
  onDurable: (end: number) => void;
  /** A write or an fdatasync failed: nothing more may be acknowledged, the process must stop. */
  onFatal: (error: unknown) => void;
}

interface Waiter {
  end: number;
  wake: () => void;
}

/**
 * One write and one fdatasync for all appends that wait. Records are staged in order and become durable in order.
 * After a failed write or fdatasync no further promise is ever kept: the kernel may have dropped the dirty pages,
 * so that a second fdatasync that succeeds would prove nothing.
 */
export class GroupCommit {
  private staged: Buffer[] = [];
  private waiters: Waiter[] = [];
  private tail: number;
  private synced: number;
  private busy = false;

  constructor(private readonly options: GroupCommitOptions) {
    this.tail = options.end;
    this.synced = options.end;
  }

  /** Offset of the next record. */
  get end(): number {
    return this.tail;
  }

  /** Bytes that are staged or being written. */
  get pendingBytes(): number {
    return this.tail - this.synced;
  }

  /** Takes a frame whose header is still to be filled; returns the offset behind it. */
  stage(frame: Buffer): number {
    this.staged.push(frame);
    this.tail += frame.length;
    if (!this.busy) {
      this.busy = true;
      // One turn of the loop, so that appends which arrived together share the fdatasync.
      setImmediate(() => void this.run());
    }
    return this.tail;
  }

  /** Resolves once everything before `end` is on stable storage; never if the disk failed. */
  durable(end: number): Promise<void> {
    if (end <= this.synced) return Promise.resolve();
    return new Promise((wake) => this.waiters.push({ end, wake }));
  }

  private async run(): Promise<void> {
    while (this.staged.length > 0) {
      const group = this.takeGroup();
      try {
        await this.options.disk.write(group, this.synced);
        await this.options.disk.sync();
      } catch (error) {
        // `busy` stays set: nothing is ever written behind a failure.
        this.options.onFatal(error);
        return;
      }
      this.synced += group.length;
      this.options.onDurable(this.synced);
      this.wakeWaiters();
    }
    this.busy = false;
  }

  private takeGroup(): Buffer {
    const frames: Buffer[] = [];
    let bytes = 0;
    for (const frame of this.staged) {
      if (frames.length > 0 && bytes + frame.length > MAX_GROUP_BYTES) break;
      sealFrame(frame, { storeSeed: this.options.storeSeed, offset: this.synced + bytes }, this.synced);
      frames.push(frame);
      bytes += frame.length;
    }
    this.staged = this.staged.slice(frames.length);
    const [only] = frames;
    return frames.length === 1 && only !== undefined ? only : Buffer.concat(frames, bytes);
  }

  private wakeWaiters(): void {
    const waiting = this.waiters;
    this.waiters = [];
    for (const waiter of waiting) {
      if (waiter.end <= this.synced) waiter.wake();
      else this.waiters.push(waiter);
    }
  }
}
