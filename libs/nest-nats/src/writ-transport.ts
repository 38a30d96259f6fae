import { Server, type CustomTransportStrategy, type MessageHandler } from '@nestjs/microservices';
import type { Bus, Clock, Consumption, ConsumeOptions, Log } from '@writ/runtime';
import { lastValueFrom } from 'rxjs';
import { checkHandlers } from './check-handlers';
import { APPROVE_PATTERN, CANCEL_PATTERN, EXECUTE_PATTERN, NOTICE_PATTERN, WRIT_TRANSPORT } from './patterns';
import { readVerdict } from './verdict';
import { DeliveryContext } from './delivery-context';

export interface WritTransportOptions {
  /** Stays its owner's: the transport neither connects nor closes it. */
  readonly bus: Bus;
  readonly log: Log;
  readonly clock: Clock;
  /** For a service with a handler of `EXECUTE_PATTERN`. `free`: see `ConsumeOptions`. */
  readonly execute?: { readonly pool: string; readonly free: () => number };
  /** For a service with a handler of `APPROVE_PATTERN`. */
  readonly approve?: { readonly free: () => number };
  /** How long `close` waits for handlers under way, in ms. */
  readonly drainMs: number;
}

export type TransportStatus = 'connected' | 'disconnected';
export type TransportEvents = Record<TransportStatus, () => void>;

/** How often `status` looks at the bus, in ms. */
const STATUS_POLL_MS = 250;

/**
 * Nest's handlers behind Writ's bus. A wake's handler returns its verdict; one that throws, or returns something else, has its
 * delivery given back after a delay. Hints are events. Bytes that do not parse never get here. `listen` does not wait for the
 * broker; it fails where handlers and options do not fit, which is a bug of the application.
 */
export class WritTransport
  extends Server<TransportEvents, TransportStatus>
  implements CustomTransportStrategy
{
  override readonly transportId = WRIT_TRANSPORT;
  private readonly closing = new AbortController();
  private readonly stopHints: (() => void)[] = [];
  private consumptions: Consumption[] = [];

  constructor(private readonly options: WritTransportOptions) {
    super();
  }

  listen(callback: (error?: Error) => void): void {
    const problem = checkHandlers(this.messageHandlers, this.options);
    if (problem !== undefined) return callback(new Error(problem));
    const { bus, execute, approve } = this.options;
    if (execute !== undefined) {
      this.consumptions.push(bus.consumeExecute(execute.pool, this.consuming(EXECUTE_PATTERN, execute.free)));
    }
    if (approve !== undefined) {
      this.consumptions.push(bus.consumeApprovals(this.consuming(APPROVE_PATTERN, approve.free)));
    }
    this.whenHandled(NOTICE_PATTERN, (handler) =>
      bus.onNotice((notice) => void this.tell(handler, NOTICE_PATTERN, notice)),
    );
    this.whenHandled(CANCEL_PATTERN, (handler) =>
      bus.onCancel((cancel) => void this.tell(handler, CANCEL_PATTERN, cancel)),
    );
    void this.watchBus();
    callback();
  }

  /** Takes nothing new and waits for the handlers under way. May be called again: Nest does. */
  async close(): Promise<void> {
    this.closing.abort();
    for (const stop of this.stopHints.splice(0)) stop();
    await Promise.all(this.consumptions.map((consumption) => consumption.drain(this.options.drainMs)));
  }

  on<Event extends TransportStatus>(event: Event, callback: TransportEvents[Event]): void {
    this.status.subscribe((status) => {
      if (status === event) callback();
    });
  }

  /** The bus. */
  unwrap<T = Bus>(): T {
    // Nest leaves the type to the caller.
    return this.options.bus as unknown as T;
  }

  private consuming(pattern: string, free: () => number): ConsumeOptions {
    return {
      free,
      handle: async (wake) => readVerdict(await this.ask(this.messageHandlers.get(pattern), pattern, wake)),
    };
  }

  private whenHandled(pattern: string, start: (handler: MessageHandler) => () => void): void {
    const handler = this.messageHandlers.get(pattern);
    if (handler !== undefined) this.stopHints.push(start(handler));
  }

  /** A hint is a hint: what becomes of it is nobody's concern but the log's. */
  private async tell(handler: MessageHandler, pattern: string, hint: unknown): Promise<void> {
    try {
      await this.ask(handler, pattern, hint);
    } catch (thrown) {
      const error = thrown instanceof Error ? thrown.name : typeof thrown;
      this.options.log.error('hint_handler_threw', { pattern, error });
    }
  }

  private async ask(handler: MessageHandler | undefined, pattern: string, data: unknown): Promise<unknown> {
    const context = new DeliveryContext([pattern]);
    const answer = new Promise((resolve, reject) => {
      this.onProcessingStartHook(this.transportId, context, async () => {
        const answered = (async () =>
          lastValueFrom<unknown, unknown>(
            this.transformToObservable<unknown>(await handler?.(data, context)),
            {
              defaultValue: undefined,
            },
          ))();
        answered.then(resolve, reject);
      });
    });
    try {
      return await answer;
    } finally {
      this.onProcessingEndHook?.(this.transportId, context);
    }
  }

  private async watchBus(): Promise<void> {
    const { bus, clock } = this.options;
    while (!this.closing.signal.aborted) {
      this._status$.next(bus.connected() ? 'connected' : 'disconnected');
      await clock.sleep(STATUS_POLL_MS, this.closing.signal);
    }
    this._status$.next('disconnected');
  }
}
