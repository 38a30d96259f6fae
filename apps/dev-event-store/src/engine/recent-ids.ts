import { RECENT_IDS_BYTES } from '../limits';

interface RecentEvent {
  stream: string;
  revision: number;
}

/** Bytes that EventStoreDB charges for an entry besides its stream name: a 16-byte id and 12 bytes of bookkeeping. */
const ENTRY_BYTES = 28;

/**
 * Recognises repeats of appends that name no revision (`any`, `stream_exists`). Bounded and empty after a restart, so
 * that such a repeat may be stored twice: the same weakness as the real server's.
 */
export class RecentIds {
  private readonly entries = new Map<string, RecentEvent>();
  private bytes = 0;

  constructor(private readonly limitBytes = RECENT_IDS_BYTES) {}

  revisionOf(id: Buffer, stream: string): number | undefined {
    const entry = this.entries.get(id.toString('latin1'));
    return entry?.stream === stream ? entry.revision : undefined;
  }

  remember(id: Buffer, stream: string, revision: number): void {
    const key = id.toString('latin1');
    if (this.entries.has(key)) return;
    this.entries.set(key, { stream, revision });
    this.bytes += ENTRY_BYTES + stream.length;
    while (this.bytes > this.limitBytes) this.forgetOldest();
  }

  private forgetOldest(): void {
    for (const [key, entry] of this.entries) {
      this.entries.delete(key);
      this.bytes -= ENTRY_BYTES + entry.stream.length;
      return;
    }
  }
}
