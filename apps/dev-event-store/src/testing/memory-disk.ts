import type { LogDisk } from '../log/log-disk';

/** A disk in memory whose sync waits for the test, or fails. */
export class MemoryDisk implements LogDisk {
  bytes = Buffer.alloc(0);
  writes = 0;
  syncs = 0;
  /** Makes the next write or sync fail. */
  failNext: { on: 'write' | 'sync'; error: Error } | undefined;
  private gate: Promise<void> | undefined;

  async write(bytes: Buffer, offset: number): Promise<void> {
    this.writes += 1;
    this.failIf('write');
    const grown = Buffer.alloc(Math.max(this.bytes.length, offset + bytes.length));
    this.bytes.copy(grown);
    bytes.copy(grown, offset);
    this.bytes = grown;
  }

  async sync(): Promise<void> {
    this.syncs += 1;
    await this.gate;
    this.failIf('sync');
  }

  async read(offset: number, length: number): Promise<Buffer> {
    return Buffer.from(this.bytes.subarray(offset, offset + length));
  }

  async close(): Promise<void> {
    // Nothing to let go.
  }

  /** Every sync waits from now on until the returned function is called. */
  holdSync(): () => void {
    let release = (): void => undefined;
    const gate = new Promise<void>((resolve) => (release = resolve));
    this.gate = gate;
    return () => {
      if (this.gate === gate) this.gate = undefined;
      release();
    };
  }

  private failIf(on: 'write' | 'sync'): void {
    if (this.failNext?.on !== on) return;
    const { error } = this.failNext;
    this.failNext = undefined;
    throw error;
  }
}
