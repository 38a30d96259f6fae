/** Notices or cancels of one kind: who listens, and how bytes get to them. Never throws into the transport. */
import type { Log } from '@writ/runtime';
import { worthLogging, type Counting } from './counters';

export interface HintChannel<T> {
  /** Returns the way to stop listening. */
  listen(listener: (hint: T) => void): () => void;
  wanted(): boolean;
  deliver(bytes: Uint8Array): void;
}

export interface HintChannelOptions<T> {
  /** For the log: `notice` or `cancel`. */
  readonly kind: string;
  parse(bytes: Uint8Array): T | undefined;
  readonly log: Log;
  readonly counting: Counting;
  /** Called when there is a first listener. */
  firstWanted(): void;
}

export function createHintChannel<T>(options: HintChannelOptions<T>): HintChannel<T> {
  const { kind, log, counting } = options;
  const listeners = new Set<{ readonly call: (hint: T) => void }>();
  return {
    listen(call) {
      const entry = { call };
      listeners.add(entry);
      if (listeners.size === 1) options.firstWanted();
      return () => void listeners.delete(entry);
    },
    wanted: () => listeners.size > 0,
    deliver(bytes) {
      const hint = options.parse(bytes);
      if (hint === undefined) {
        const total = counting.add('malformedHints');
        if (worthLogging(total)) log.warn('hint_malformed', { kind, bytes: bytes.length, total });
        return;
      }
      for (const { call } of [...listeners]) {
        try {
          call(hint);
        } catch (thrown) {
          log.error('hint_listener_threw', {
            kind,
            error: thrown instanceof Error ? thrown.name : typeof thrown,
          });
        }
      }
    },
  };
}
