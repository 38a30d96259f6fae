import type { IncomingMessage } from 'node:http';

/** What the framework has parsed, and nobody has checked yet. */
export interface HttpRequest extends IncomingMessage {
  readonly body: unknown;
  readonly query: unknown;
}
