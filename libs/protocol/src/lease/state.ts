/** One lease stream, `lease-<service>.<name>.<incarnation>`: as its holder writes it and as others see it (protocol 7). */
import { leaseStream, type LeaseEndReason, type WritEvent } from '@writ/contracts';
import { assert } from '../assert';

interface LeaseFacts {
  /** Instance id of the holder. */
  readonly instance: string;
  readonly revision: number | 'no_stream';
  readonly lastDigest: string | null;
}
export type LeaseState = LeaseFacts &
  (
    | { readonly status: 'never_renewed' }
    | { readonly status: 'standing'; readonly ttlMs: number }
    | { readonly status: 'ended'; readonly reason: LeaseEndReason; readonly by: string }
  );

export const newLease = (instance: string): LeaseState => ({
  instance,
  revision: 'no_stream',
  lastDigest: null,
  status: 'never_renewed',
});

/** The stream is capped, so a reader may begin anywhere: its newest event alone is the state. */
export function evolveLease(state: LeaseState, event: WritEvent): LeaseState {
  assert(event.stream === leaseStream(state.instance), 'an event of another lease');
  assert(state.status !== 'ended', `${event.type} after the end of a lease`);
  assert(state.revision === 'no_stream' || event.revision > state.revision, 'a lease event out of order');
  const facts = { instance: state.instance, revision: event.revision, lastDigest: event.metadata.digest };
  if (event.type === 'LeaseRenewed') return { ...facts, status: 'standing', ttlMs: event.data.ttlMs };
  assert(event.type === 'LeaseEnded', `a lease stream holds ${event.type}`);
  return { ...facts, status: 'ended', reason: event.data.reason, by: event.data.by };
}

export const foldLease = (instance: string, events: readonly WritEvent[]): LeaseState =>
  events.reduce(evolveLease, newLease(instance));
