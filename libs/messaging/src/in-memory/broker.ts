import type { Clock, Log } from '@writ/runtime';
import { defaultBusLimits, type BusLimits } from '../limits';
import type { ObservedBus } from '../observed-bus';
import { isCommand, type BrokerSide } from './broker-side';
import { createInMemoryBus } from './bus';
import { noFaults, type BrokerFaults } from './faults';
import { createStoredCommands, type StoredCommands } from './stored-commands';

export interface InMemoryBrokerOptions {
  readonly clock: Clock;
  readonly faults?: BrokerFaults;
  readonly limits?: Partial<BusLimits>;
}

export interface InMemoryBroker {
  /** One bus per simulated process; `close()` is that process's death as the broker sees it. */
  connect(options: { readonly log: Log }): ObservedBus;
  /** Nothing is stored, handed out or heard until `start`. */
  stop(): void;
  start(storage: 'kept' | 'empty'): void;
  /** For good: forgets everything and leaves no timer. */
  close(): void;
  /** Bytes as any client of the broker might send them. */
  publishBytes(subject: string, bytes: Uint8Array): void;
}

/**
 * The broker as the simulation has it: the real bytes and the real parsing, over memory. Deterministic, given a clock and
 * faults that are: it draws nothing and waits only on the clock.
 */
export function createInMemoryBroker(options: InMemoryBrokerOptions): InMemoryBroker {
  const { clock } = options;
  const queues = new Map<string, StoredCommands>();
  const hearers = new Set<(subject: string, bytes: Uint8Array) => void>();
  let running = true;

  function commands(subject: string): StoredCommands {
    const known = queues.get(subject) ?? createStoredCommands(clock, () => running);
    queues.set(subject, known);
    return known;
  }

  function publishBytes(subject: string, bytes: Uint8Array): void {
    if (!running) return;
    if (isCommand(subject)) commands(subject).store(bytes);
    else for (const hear of [...hearers]) hear(subject, bytes);
  }

  const side: BrokerSide = {
    clock,
    faults: options.faults ?? noFaults,
    limits: { ...defaultBusLimits, ...options.limits },
    up: () => running,
    commands,
    publishBytes,
    hear(hearing) {
      hearers.add(hearing);
      return () => void hearers.delete(hearing);
    },
  };
  return {
    connect: ({ log }) => createInMemoryBus(side, log),
    stop: () => void (running = false),
    start(storage) {
      running = true;
      for (const queue of queues.values()) {
        if (storage === 'empty') queue.empty();
        queue.look();
      }
    },
    close() {
      running = false;
      for (const queue of queues.values()) queue.empty();
    },
    publishBytes,
  };
}
