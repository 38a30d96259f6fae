/** Pulls from one durable consumer while a session lasts, never more than there are slots for (F24). */
import type { Clock } from '@writ/runtime';
import type { Consumer, ConsumerMessages, JsMsg } from 'nats';
import { MAX_PULL_BATCH, PULL_EXPIRES_MS, SLOT_POLL_MS } from '../limits';

export interface PullLoopOptions {
  readonly consumer: Consumer;
  readonly clock: Clock;
  /** Pulling ends when this aborts. */
  readonly halt: AbortSignal;
  /** Slots for which nothing is being handled. */
  room(): number;
  /** Must not throw. The promise ends when its slot is free again. */
  take(message: JsMsg): Promise<void>;
}

/** Ends when halted; rejects when the consumer is lost. */
export async function pullWhileUp(options: PullLoopOptions): Promise<void> {
  const { consumer, clock, halt } = options;
  const pulls = new Set<ConsumerMessages>();
  let outstanding = 0;
  let lost: { readonly error: unknown } | undefined;
  let change = new AbortController();
  // Without a reason of its own an abort makes an error, stack and all, at every delivery.
  const changed = () => change.abort('changed');

  async function pull(batch: number): Promise<void> {
    let left = batch;
    outstanding += batch;
    try {
      const messages = await consumer.fetch({ max_messages: batch, expires: PULL_EXPIRES_MS });
      pulls.add(messages);
      if (halt.aborted) void messages.close();
      for await (const message of messages) {
        left -= 1;
        outstanding -= 1;
        void options.take(message).then(changed);
        changed();
      }
      pulls.delete(messages);
    } catch (error) {
      lost = { error };
    }
    outstanding -= left;
    changed();
  }

  halt.addEventListener('abort', changed);
  try {
    while (!halt.aborted) {
      if (lost !== undefined) throw lost.error;
      const wanted = Math.min(options.room(), MAX_PULL_BATCH) - outstanding;
      // A pull costs as much for one message as for many: while one waits, half of the room may stay unasked for.
      if (wanted > 0 && wanted >= outstanding) void pull(wanted);
      // A pull that waits will bring the loop round; without one only looking tells that a slot is free.
      await clock.sleep(outstanding > 0 ? PULL_EXPIRES_MS : SLOT_POLL_MS, change.signal);
      change = new AbortController();
    }
  } finally {
    halt.removeEventListener('abort', changed);
    for (const messages of pulls) void messages.close();
  }
}
