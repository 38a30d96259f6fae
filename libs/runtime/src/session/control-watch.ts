import { controlStream } from '@writ/contracts';
import { readNewest } from '../journal/read';
import { runtimeLimits } from '../limits';
import type { Clock, EventStore } from '../ports';

/** What people ask of a session while it runs: read on notice, on poll and at takeover (protocol 2, `control-…`). */
export class ControlWatch {
  private interrupted: string | undefined;
  private dirty = true;
  private lookedAtMs = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly edge: { readonly store: EventStore; readonly clock: Clock },
    private readonly sessionId: string,
  ) {}

  /** There may be something new. */
  notice(): void {
    this.dirty = true;
  }

  /** Reads the stream where a notice came, and every `everyMs`, but not more often than its own limit, although none did. */
  async look(everyMs: number): Promise<void> {
    const now = this.edge.clock.monotonicMs();
    if (!this.dirty && now - this.lookedAtMs < Math.max(everyMs, runtimeLimits.controlPollMs)) return;
    const newest = await readNewest(this.edge.store, controlStream(this.sessionId));
    if (newest.outcome === 'unavailable') return;
    this.dirty = false;
    this.lookedAtMs = now;
    const event = newest.outcome === 'events' ? newest.events[0] : undefined;
    if (event?.type === 'InterruptRequested') this.interrupted = event.data.turnId;
  }

  isInterrupted(turnId: string | undefined): boolean {
    return turnId !== undefined && this.interrupted === turnId;
  }
}
