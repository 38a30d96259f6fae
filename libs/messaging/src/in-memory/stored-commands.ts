/** One pool's stored wakes: handed to whoever has room, kept until acknowledged, given again after the ack wait. */
import type { Clock, ConsumeOptions } from '@writ/runtime';
import { answerDelivery, type DeliveryAnswer, type DeliveryContext } from '../answer-delivery';
import { COMMANDS_PER_SUBJECT, SLOT_POLL_MS } from '../limits';

/** Without a reason of its own an abort makes an error, stack and all, at every answer. */
const over = 'over';

/** A consumption as the queue sees it. */
export interface Consumer extends DeliveryContext {
  readonly options: ConsumeOptions;
  readonly underWay: Set<Promise<void>>;
  /** Whether its answers still reach the broker. */
  heard(): boolean;
}

interface Stored {
  readonly bytes: Uint8Array;
  deliveries: number;
  /** Not handed out while it has one. */
  hold: AbortController | undefined;
}

export interface StoredCommands {
  store(bytes: Uint8Array): void;
  /** Returns the way to leave. */
  join(consumer: Consumer): () => void;
  /** Hands out what there is to hand out. */
  look(): void;
  /** Loses everything, as a broker with empty storage does. */
  empty(): void;
}

/** `up` says whether the broker runs: nothing is handed out and no answer is heard while it does not. */
export function createStoredCommands(clock: Clock, up: () => boolean): StoredCommands {
  let stored: Stored[] = [];
  let consumers: Consumer[] = [];
  let looking = false;

  function look(): void {
    if (!up()) return;
    for (const entry of stored.filter(({ hold }) => hold === undefined)) {
      const consumer = consumers.find(({ options, underWay }) => options.free() > underWay.size);
      if (consumer === undefined) return lookLater();
      // The next one is another's turn.
      consumers = [...consumers.filter((one) => one !== consumer), consumer];
      handOut(entry, consumer);
    }
  }

  /** A slot that becomes free says nothing. */
  function lookLater(): void {
    if (looking || consumers.length === 0) return;
    looking = true;
    void clock.sleep(SLOT_POLL_MS).then(() => {
      looking = false;
      look();
    });
  }

  function handOut(entry: Stored, consumer: Consumer): void {
    const { options, underWay, counting, limits } = consumer;
    const hold = holdFor(entry, limits.ackWaitMs);
    entry.deliveries += 1;
    if (entry.deliveries > 1) counting.add('redelivered');
    // In a later microtask, so that no handler runs inside a publish.
    const work = Promise.resolve()
      .then(() => answerDelivery(entry.bytes, options, consumer))
      .then((answer) => {
        underWay.delete(work);
        if (up() && consumer.heard()) settle(entry, hold, answer);
        look();
      });
    underWay.add(work);
  }

  function settle(entry: Stored, hold: AbortController, answer: DeliveryAnswer): void {
    if (answer.verdict !== 'nak') remove(entry);
    else if (entry.hold === hold) holdFor(entry, answer.delayMs);
  }

  function holdFor(entry: Stored, ms: number): AbortController {
    const hold = new AbortController();
    entry.hold?.abort(over);
    entry.hold = hold;
    void clock.sleep(ms, hold.signal).then(() => {
      if (entry.hold !== hold) return;
      entry.hold = undefined;
      look();
    });
    return hold;
  }

  function remove(entry: Stored): void {
    stored = stored.filter((one) => one !== entry);
    release(entry);
  }

  function release(entry: Stored): void {
    const { hold } = entry;
    entry.hold = undefined;
    hold?.abort(over);
  }

  return {
    store(bytes) {
      stored.push({ bytes, deliveries: 0, hold: undefined });
      if (stored.length > COMMANDS_PER_SUBJECT) stored.splice(0, 1).forEach(release);
      look();
    },
    join(consumer) {
      consumers = [...consumers, consumer];
      look();
      return () => {
        consumers = consumers.filter((one) => one !== consumer);
      };
    },
    look,
    empty() {
      const lost = stored;
      stored = [];
      lost.forEach(release);
    },
  };
}
