import { controlStream } from '@writ/contracts';
import { readNewest } from '../journal/read';
import type { EventStore } from '../ports';

/** What people ask of a session while it runs: read on notice, on poll and at takeover (protocol 2, `control-…`). */
export class ControlWatch {
  private interrupted: string | undefined;
  private dirty = true;

  constructor(
    private readonly store: EventStore,
    private readonly sessionId: string,
  ) {}

  /** There may be something new. */
  notice(): void {
    this.dirty = true;
  }

  async look(): Promise<void> {
    if (!this.dirty) return;
    const newest = await readNewest(this.store, controlStream(this.sessionId));
    if (newest.outcome === 'unavailable') return;
    this.dirty = false;
    const event = newest.outcome === 'events' ? newest.events[0] : undefined;
    if (event?.type === 'InterruptRequested') this.interrupted = event.data.turnId;
  }

  isInterrupted(turnId: string | undefined): boolean {
    return turnId !== undefined && this.interrupted === turnId;
  }
}
