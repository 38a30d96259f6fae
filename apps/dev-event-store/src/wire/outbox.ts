import type { EventEmitter } from 'node:events';
import type { ServiceError } from '@grpc/grpc-js';

/** The writing half of a streaming call, with backpressure and a safe end. */
export interface Outbox<Response> {
  /** Whether the call is over, whoever ended it. */
  readonly closed: boolean;
  /** Resolves when the transport takes more; false once the call is over. */
  send(response: Response): Promise<boolean>;
  end(): void;
  fail(error: ServiceError): void;
  /** Called once when the call is over. */
  onClose(listener: () => void): void;
}

/** What server-streaming and bidirectional calls of grpc-js have in common. */
export interface StreamingCall<Response> extends EventEmitter {
  readonly cancelled: boolean;
  write(response: Response): boolean;
  end(): unknown;
}

export function outboxOf<Response>(call: StreamingCall<Response>): Outbox<Response> {
  return new CallOutbox(call);
}

class CallOutbox<Response> implements Outbox<Response> {
  private over = false;
  private readonly listeners: (() => void)[] = [];
  private drained: Promise<void> | undefined;
  private wake: () => void = () => undefined;

  constructor(private readonly call: StreamingCall<Response>) {
    call.on('cancelled', () => this.close());
    call.on('close', () => this.close());
    // An error on the way out (a broken connection) must not become an uncaught exception.
    call.on('error', () => this.close());
    call.on('drain', () => this.wake());
    if (call.cancelled) this.close();
  }

  get closed(): boolean {
    return this.over;
  }

  async send(response: Response): Promise<boolean> {
    if (this.over) return false;
    if (this.call.write(response)) return true;
    this.drained ??= new Promise((resolve) => {
      this.wake = () => {
        this.drained = undefined;
        resolve();
      };
    });
    await this.drained;
    return !this.over;
  }

  end(): void {
    if (this.over) return;
    this.close();
    this.call.end();
  }

  fail(error: ServiceError): void {
    if (this.over) return;
    this.close();
    this.call.emit('error', error);
  }

  onClose(listener: () => void): void {
    if (this.over) listener();
    else this.listeners.push(listener);
  }

  private close(): void {
    if (this.over) return;
    this.over = true;
    this.wake();
    for (const listener of this.listeners.splice(0)) listener();
  }
}
