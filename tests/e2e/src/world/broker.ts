import { commandsStreamName } from '@writ/contracts';
import { connect, nanos, type JetStreamManager } from 'nats';

/** Of the pool in which the executors under test are. */
const durable = 'execute-default';

/** What the broker says of the pool's deliveries. */
export interface Deliveries {
  /** Wakes that are stored, delivered or not. */
  readonly stored: number;
  /** Delivered and not answered. */
  readonly unanswered: number;
  /** Requests of executors for more. */
  readonly asked: number;
  readonly ackWaitMs: number;
}

/**
 * The broker's own interface, as its operator has it: bounds of the pool's consumer and of the stream can be narrowed
 * under services that run. They put the consumer's right again when they connect the next time.
 */
export class Broker {
  constructor(private readonly url: string) {}

  narrow({ ackWaitMs, ackPending }: { readonly ackWaitMs: number; readonly ackPending?: number }) {
    return this.visit(({ consumers }) =>
      consumers.update(commandsStreamName, durable, {
        ack_wait: nanos(ackWaitMs),
        ...(ackPending === undefined ? {} : { max_ack_pending: ackPending }),
      }),
    );
  }

  /** For how long the broker knows a message id again. */
  rememberIds(forMs: number) {
    return this.visit(({ streams }) =>
      streams.update(commandsStreamName, { duplicate_window: nanos(forMs) }),
    );
  }

  deliveries(): Promise<Deliveries> {
    return this.visit(async ({ streams, consumers }) => {
      const { state } = await streams.info(commandsStreamName);
      const { num_ack_pending, num_waiting, config } = await consumers.info(commandsStreamName, durable);
      return {
        stored: state.messages,
        unanswered: num_ack_pending,
        asked: num_waiting,
        ackWaitMs: (config.ack_wait ?? 0) / nanos(1),
      };
    });
  }

  private async visit<T>(deed: (manager: JetStreamManager) => Promise<T>): Promise<T> {
    const connection = await connect({ servers: this.url });
    try {
      return await deed(await connection.jetstreamManager());
    } finally {
      await connection.close();
    }
  }
}
