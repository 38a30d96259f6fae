import type { RecordedEvent } from '@writ/contracts';
import type {
  AppendOutcome,
  EventToAppend,
  ExpectedRevision,
  ReadAllOptions,
  ReadOutcome,
  ReadStreamOptions,
} from '@writ/runtime';

export interface AppendCall {
  readonly stream: string;
  readonly expected: ExpectedRevision;
  readonly events: readonly EventToAppend[];
}

/**
 * Stands between a store's users and its log, one function per call of the port: it may wait (by the clock it was
 * built with), call `proceed` never, once or twice, and answer something else than what came of it. For example a
 * stored append whose acknowledgement is lost: `async (_, proceed) => (proceed(), { outcome: 'unknown', … })`.
 * What is left out goes straight to the log. A function must not reject.
 */
export interface StoreInterceptor {
  append?(call: AppendCall, proceed: () => AppendOutcome): Promise<AppendOutcome>;
  readStream?(stream: string, options: ReadStreamOptions, proceed: () => ReadOutcome): Promise<ReadOutcome>;
  readAll?(options: ReadAllOptions, proceed: () => ReadOutcome): Promise<ReadOutcome>;
  /** One event on its way to one follower, who waits for it; `proceed` hands it over and may be called again. */
  deliver?(event: RecordedEvent, proceed: () => Promise<void>): Promise<void>;
  ping?(proceed: () => boolean): Promise<boolean>;
}
