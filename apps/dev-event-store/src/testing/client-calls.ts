import { setTimeout as sleep } from 'node:timers/promises';
import {
  type AllStreamSubscription,
  type AppendExpectedRevision,
  type AppendResult,
  type EventData,
  type EventStoreDBClient,
  jsonEvent,
  StreamNotFoundError,
} from '@eventstore/db-client';

const POLL_MS = 10;
const LIMIT_MS = 30_000;

/** Waits until `condition` holds; fails after 30 s. */
export async function until(condition: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const deadline = Date.now() + LIMIT_MS;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`waited ${LIMIT_MS} ms in vain: ${what}`);
    await sleep(POLL_MS);
  }
}

export function event(type = 'Happened', data: Record<string, unknown> = {}): EventData {
  return jsonEvent({ type, data });
}

/** What a rejected call says of itself; fails if the call succeeds. */
export async function errorOf(call: Promise<unknown>): Promise<Record<string, unknown>> {
  try {
    await call;
  } catch (error) {
    if (typeof error !== 'object' || error === null) throw error;
    const fields: Record<string, unknown> = { ...error };
    return { ...fields, message: 'message' in error ? error.message : '' };
  }
  throw new Error('the call succeeded');
}

export interface SeenEvent {
  stream: string;
  revision: number;
  type: string;
  id: string;
  position: bigint;
}

interface Resolved {
  event?: {
    streamId: string;
    revision: bigint;
    type: string;
    id: string;
    position?: { commit: bigint };
  };
}

export function seen({ event: recorded }: Resolved): SeenEvent {
  if (recorded === undefined) throw new Error('an event without a body');
  const { streamId, revision, type, id, position } = recorded;
  return { stream: streamId, revision: Number(revision), type, id, position: position?.commit ?? -1n };
}

export async function collect(events: AsyncIterable<Resolved>): Promise<SeenEvent[]> {
  const all: SeenEvent[] = [];
  for await (const resolved of events) all.push(seen(resolved));
  return all;
}

/** The events of a stream; none where it does not exist. Other errors are errors. */
export async function eventsIn(client: EventStoreDBClient, stream: string): Promise<SeenEvent[]> {
  try {
    return await collect(client.readStream(stream));
  } catch (error) {
    if (error instanceof StreamNotFoundError) return [];
    throw error;
  }
}

export interface AppendCall {
  stream: string;
  expected: AppendExpectedRevision;
  events: EventData[];
}

/** The two ways in which the client appends; per-call credentials make it take the second. */
export const appendPaths = [
  {
    path: 'the batch stream',
    append: (client: EventStoreDBClient, { stream, expected, events }: AppendCall): Promise<AppendResult> =>
      client.appendToStream(stream, events, { expectedRevision: expected }),
  },
  {
    path: 'a call of its own',
    append: (client: EventStoreDBClient, { stream, expected, events }: AppendCall): Promise<AppendResult> =>
      client.appendToStream(stream, events, {
        expectedRevision: expected,
        credentials: { username: 'nobody', password: 'asks' },
      }),
  },
] as const;

/** Follows a subscription and remembers what it said, in order. */
export class Follower {
  readonly events: SeenEvent[] = [];
  readonly notes: string[] = [];
  readonly errors: unknown[] = [];

  constructor(subscription: AllStreamSubscription | ReturnType<EventStoreDBClient['subscribeToStream']>) {
    subscription.on('data', (resolved: Resolved) => {
      const recorded = seen(resolved);
      this.events.push(recorded);
      this.notes.push(recorded.type);
    });
    subscription.on('confirmation', () => this.notes.push('confirmation'));
    subscription.on('caughtUp', () => this.notes.push('caughtUp'));
    subscription.on('fellBehind', () => this.notes.push('fellBehind'));
    subscription.on('error', (error: unknown) => this.errors.push(error));
  }

  async untilNoted(note: string): Promise<void> {
    await until(() => this.notes.includes(note), `the note ${note} among ${this.notes.join()}`);
  }

  async untilEvents(count: number): Promise<void> {
    await until(() => this.events.length >= count, `${count} events`);
  }
}
