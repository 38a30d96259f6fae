/** A real nats-server for tests: its own port and storage, killed hard, started again on the same port. */
import type { NatsConnection } from 'nats';
import { startNatsContainer } from './nats-container';
import { startNatsProcess } from './nats-process';

export interface NatsServer {
  readonly url: string;
  /** SIGKILL. */
  stop(): Promise<void>;
  /** On the same port. */
  start(storage: 'kept' | 'empty'): Promise<void>;
  signal(name: 'SIGSTOP' | 'SIGCONT'): void;
  /** Lets a stranger use it: bytes of any kind, or the broker's own interface. */
  visit<T>(deed: (stranger: NatsConnection) => T | Promise<T>): Promise<T>;
  /** Stops it and removes its storage. */
  dispose(): Promise<void>;
}

/** A process of its own; where WRIT_TEST_NATS_IMAGE names an image, a container of it. */
export async function startNatsServer(): Promise<NatsServer> {
  const image = process.env['WRIT_TEST_NATS_IMAGE'];
  return image === undefined || image === '' ? startNatsProcess() : startNatsContainer(image);
}
