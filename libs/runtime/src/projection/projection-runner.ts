import type { RecordedEvent, WritEvent } from '@writ/contracts';
import { z } from 'zod';
import { openRecorded } from '../journal/read';
import { runtimeLimits } from '../limits';
import type { Clock, EventStore, Following, Log, StateFile } from '../ports';

export interface ProjectionOptions<State> {
  readonly name: string;
  /** Raised when the fold or the shape of its state changes: an older file is then rebuilt from zero. */
  readonly version: number;
  readonly prefixes: readonly string[];
  readonly initial: State;
  readonly stateSchema: z.ZodType<State>;
  apply(state: State, event: WritEvent): State;
  readonly store: EventStore;
  readonly clock: Clock;
  readonly log: Log;
  /** Absent: the projection lives in memory and is rebuilt at each start. */
  readonly file?: StateFile;
  onChange?(event: WritEvent): void;
}

/**
 * Keeps one pure fold up to date from the log. Checkpoint (log position and store id) and state stand in one file, so
 * that neither can be newer than the other; a file of another store, version or shape is ignored.
 */
export class ProjectionRunner<State> {
  private state: State;
  private checkpoint: string | 'start' = 'start';
  private savedAt: string | 'start' = 'start';
  private following: Following | undefined;
  private readonly stopping = new AbortController();
  private starting: Promise<void> | undefined;
  private saving: Promise<void> | undefined;
  private caughtUp = false;

  constructor(private readonly options: ProjectionOptions<State>) {
    this.state = options.initial;
  }

  get current(): State {
    return this.state;
  }

  /** Whether everything that was stored when it (re)connected has been folded. */
  get upToDate(): boolean {
    return this.caughtUp;
  }

  /** Loads the file where it fits and follows the log from there, as soon as the store answers. */
  start(): void {
    this.starting = this.begin();
  }

  async close(): Promise<void> {
    this.stopping.abort();
    await this.starting;
    await this.following?.close();
    await this.saving;
    await this.save();
  }

  private async begin(): Promise<void> {
    await this.restore();
    if (this.stopping.signal.aborted) return;
    this.following = this.options.store.follow({
      of: { prefixes: this.options.prefixes },
      after: this.checkpoint,
      onEvent: (event) => this.take(event),
      onCheckpoint: (position) => this.advance(position),
      onCaughtUp: () => (this.caughtUp = true),
      onDown: (down) => (this.caughtUp = this.caughtUp && !down),
    });
    this.saving = this.saveNowAndThen();
  }

  private take(recorded: RecordedEvent): void {
    if (this.checkpoint !== 'start' && BigInt(recorded.position) <= BigInt(this.checkpoint)) return;
    const opened = openRecorded(recorded);
    if (opened.ok) {
      this.state = this.options.apply(this.state, opened.event);
      this.checkpoint = recorded.position;
      this.options.onChange?.(opened.event);
      return;
    }
    this.options.log.error('event_damaged', { projection: this.options.name, problem: opened.problem });
  }

  private advance(position: string): void {
    if (this.checkpoint === 'start' || BigInt(position) > BigInt(this.checkpoint)) this.checkpoint = position;
  }

  private async saveNowAndThen(): Promise<void> {
    while (!this.stopping.signal.aborted) {
      await this.options.clock.sleep(runtimeLimits.checkpointEveryMs, this.stopping.signal);
      await this.save();
    }
  }

  private async save(): Promise<void> {
    const { file, version, store, log, name } = this.options;
    if (file === undefined || this.checkpoint === this.savedAt) return;
    const checkpoint = this.checkpoint;
    const state = this.state;
    const storeId = await readStoreId(store);
    if (storeId === undefined) return;
    try {
      await file.save({ version, storeId, checkpoint, state });
      this.savedAt = checkpoint;
    } catch (error) {
      log.warn('projection_not_saved', {
        projection: name,
        problem: error instanceof Error ? error.message : 'unknown',
      });
    }
  }

  private async restore(): Promise<void> {
    const { file, store, stateSchema, version, log, name, clock } = this.options;
    const saved = z
      .object({
        version: z.literal(version),
        storeId: z.string(),
        checkpoint: z.string(),
        state: stateSchema,
      })
      .safeParse(await file?.load());
    if (!saved.success) return;
    let storeId = await readStoreId(store);
    while (storeId === undefined && !this.stopping.signal.aborted) {
      await clock.sleep(runtimeLimits.retryLongestMs, this.stopping.signal);
      storeId = await readStoreId(store);
    }
    if (storeId !== saved.data.storeId) return log.warn('projection_of_another_store', { projection: name });
    this.state = saved.data.state;
    this.checkpoint = saved.data.checkpoint;
    this.savedAt = this.checkpoint;
  }
}

/** What tells one database from another: the id of its first event (a checkpoint means nothing elsewhere). */
async function readStoreId(store: EventStore): Promise<string | undefined> {
  const page = await store.readAll({ direction: 'forwards', from: 'start', maxCount: 1 });
  return page.outcome === 'events' ? page.events[0]?.id : undefined;
}
