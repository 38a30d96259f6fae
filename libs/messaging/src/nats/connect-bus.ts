import type { ConsumeOptions, Consumption } from '@writ/runtime';
import { createCounting } from '../counters';
import { defaultBusLimits, type BusLimits } from '../limits';
import type { BusPorts, ObservedBus } from '../observed-bus';
import { approveQueue, executeQueue, type CommandQueue } from '../queues';
import { startConsumption, type AttachedConsumption } from './consumption';
import { createHints } from './hints';
import { openLink } from './link';
import { publishWake } from './publish-wake';
import { keepStream } from './stream-keeper';

export interface ConnectBusOptions extends BusPorts {
  /** `WRIT_NATS_URL`: see `parseServerAddress`. A text that is no address throws at once. */
  readonly url: string;
  /** How the broker's own monitoring shows this connection. */
  readonly name: string;
  readonly limits?: Partial<BusLimits>;
}

/**
 * Returns at once and connects in the background, for ever. `connected()` is true while wakes can be published and every
 * consumption is served: link up, stream there, consumers there.
 */
export function connectBus(options: ConnectBusOptions): ObservedBus {
  const limits = { ...defaultBusLimits, ...options.limits };
  const counting = createCounting();
  const link = openLink(options);
  const stream = keepStream(link, options);
  const context = { ...options, link, stream, counting, limits };
  const consumptions = new Set<AttachedConsumption>();

  function consume(queue: CommandQueue, consumeOptions: ConsumeOptions): Consumption {
    const consumption = startConsumption(queue, consumeOptions, context);
    consumptions.add(consumption);
    return consumption;
  }

  return {
    ...createHints(link, context),
    wakeExecutor: (pool, wake) => publishWake(executeQueue(pool).subject, wake, context),
    wakeApprovals: (wake) => publishWake(approveQueue.subject, wake, context),
    consumeExecute: (pool, consumeOptions) => consume(executeQueue(pool), consumeOptions),
    consumeApprovals: (consumeOptions) => consume(approveQueue, consumeOptions),
    connected: () => stream.ready() && [...consumptions].every((consumption) => consumption.attached()),
    counters: () => counting.read(),
    async close() {
      await Promise.all([...consumptions].map((consumption) => consumption.drain(0)));
      await link.close();
    },
  };
}
