import {
  publishManifest,
  runtimeLimits,
  type Clock,
  type Entropy,
  type EventStore,
  type Instance,
  type Log,
} from '@writ/runtime';
import type { StartedTools } from './start-tools';

export interface PublicationParts {
  readonly store: EventStore;
  readonly clock: Clock;
  readonly entropy: Entropy;
  readonly log: Log;
  readonly instance: Instance;
}

/** Puts what this executor can do on record once its start is, trying until it is known to stand there. */
export class Publication {
  private readonly stopping = new AbortController();
  private publishing: Promise<void> | undefined;
  private onRecord = false;

  constructor(
    private readonly parts: PublicationParts,
    private readonly tools: StartedTools,
  ) {}

  get isOnRecord(): boolean {
    return this.onRecord;
  }

  start(): void {
    this.publishing = this.publish();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.publishing;
  }

  private async publish(): Promise<void> {
    const { clock, log, instance } = this.parts;
    const { pool, published } = this.tools;
    while (!this.stopping.signal.aborted) {
      const hasStarted = instance.lease.instance !== undefined;
      if (hasStarted && (await publishManifest(this.parts, { pool, tools: published }, instance.context()))) {
        this.onRecord = true;
        log.info('manifest_published', { pool, tools: published.length });
        return;
      }
      await clock.sleep(runtimeLimits.enterEveryMs, this.stopping.signal);
    }
  }
}
