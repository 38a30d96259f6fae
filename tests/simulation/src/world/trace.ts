import { createHash } from 'node:crypto';
import type { Log, LogFields } from '@writ/runtime';
import type { Scheduler } from './scheduler';

const KEPT_LINES = 30;
/** Characters that wait for the digest. */
const DIGESTED_AT_ONCE = 16 * 1024;

/** What happened, line by line: the last lines for people, the digest of all for who doubts that a seed is a run. */
export class Trace {
  readonly #digest = createHash('sha256');
  #undigested = '';
  #last: string[] = [];
  readonly #counts = new Map<string, number>();

  constructor(private readonly scheduler: Scheduler) {}

  say(who: string, event: string, fields: LogFields = {}): void {
    let line = `${(this.scheduler.nowMs / 1000).toFixed(4)} ${who} ${event}`;
    for (const [name, value] of Object.entries(fields))
      if (value !== undefined) line += ` ${name}=${String(value)}`;
    this.#undigested += line;
    if (this.#undigested.length > DIGESTED_AT_ONCE) this.#digestSaid();
    this.#last.push(line);
    if (this.#last.length > 2 * KEPT_LINES) this.#last = this.#last.slice(-KEPT_LINES);
    const { step } = fields;
    for (const word of typeof step === 'string' ? [event, `${event} ${step}`] : [event])
      this.#counts.set(word, (this.#counts.get(word) ?? 0) + 1);
  }

  /** How often an event was said; `<event> <step>` where it names a step in words. */
  count(event: string): number {
    return this.#counts.get(event) ?? 0;
  }

  last(): readonly string[] {
    return this.#last.slice(-KEPT_LINES);
  }

  digest(): string {
    this.#digestSaid();
    return this.#digest.copy().digest('hex');
  }

  #digestSaid(): void {
    this.#digest.update(this.#undigested);
    this.#undigested = '';
  }

  /** The log of one process, as long as it lives; what says that the product threw is handed on. */
  logOf(who: string, { lives, threw }: { lives: () => boolean; threw: (problem: string) => void }): Log {
    const write = (event: string, fields: LogFields): void => {
      if (!lives()) return;
      this.say(who, event, fields);
      if (productThrew.has(event)) threw(`${who} ${event}: ${String(fields['problem'])}`);
    };
    return { info: write, warn: write, error: write };
  }
}

/** Words that only a broken assertion or a damaged record brings about. */
const productThrew: ReadonlySet<string> = new Set([
  'call_failed',
  'session_failed',
  'event_damaged',
  'stream_damaged',
  'wake_handler_threw',
  'hint_handler_threw',
]);
