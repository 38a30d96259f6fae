import { NatsError } from 'nats';

/** What may be logged of an error of the client: its code, and the broker's own words where it gave any. */
export function errorCode(thrown: unknown): string {
  if (thrown instanceof NatsError) return thrown.api_error?.description ?? thrown.code;
  return thrown instanceof Error ? thrown.message : typeof thrown;
}
