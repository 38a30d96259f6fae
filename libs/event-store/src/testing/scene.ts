import { randomUUID } from 'node:crypto';
import type { EventType, RecordedEvent } from '@writ/contracts';
import type { AppendOutcome, EventStore, EventToAppend, FollowOptions, ReadOutcome } from '@writ/runtime';
import { systemClock } from './system-ports';
import type { ClientTimes, StoreUnderTest } from './store-under-test';

/** Milliseconds that a case waits for what must come, and looks on for what must not. */
const PATIENCE_MS = 20_000;
const POLL_MS = 5;

/** What the cases of the suite work with: one store for all, streams of its own for each. */
export class Scene {
  #under: StoreUnderTest | undefined;
  readonly #clients: EventStore[] = [];
  #store: EventStore | undefined;

  async open(factory: () => Promise<StoreUnderTest>): Promise<void> {
    this.#under = await factory();
    this.#store = this.connect();
  }

  async close(): Promise<void> {
    await Promise.all(this.#clients.map((client) => client.close()));
    await this.#under?.stop();
  }

  get under(): StoreUnderTest {
    if (this.#under === undefined) throw new Error('the store under test has not been opened');
    return this.#under;
  }

  /** The client that most cases use. */
  get store(): EventStore {
    if (this.#store === undefined) throw new Error('the store under test has not been opened');
    return this.#store;
  }

  connect(times?: Partial<ClientTimes>): EventStore {
    const client = this.under.connect(times);
    this.#clients.push(client);
    return client;
  }
}

export const newStream = (prefix = 'session-'): string => `${prefix}${randomUUID()}`;
/** A prefix that no other case's streams have. */
export const newPrefix = (): string => `session-${randomUUID()}-`;

export function newEvent(data: unknown = { any: 'thing' }, type: EventType = 'TurnStarted'): EventToAppend {
  return { id: randomUUID(), type, data, metadata: { $correlationId: 'c' } };
}

export const newEvents = (count: number): EventToAppend[] =>
  Array.from({ length: count }, (_, index) => newEvent({ index }));

export const acknowledged = (revision: number, repeated = false): AppendOutcome => ({
  outcome: 'acknowledged',
  revision,
  repeated,
});

/** Appends at the beginning of a new stream, or fails the test. */
export async function given(store: EventStore, stream: string, events: EventToAppend[]): Promise<void> {
  expect(await store.append(stream, 'no_stream', events)).toMatchObject({ outcome: 'acknowledged' });
}

export function eventsOf(read: ReadOutcome): readonly RecordedEvent[] {
  if (read.outcome !== 'events') throw new Error(`expected events, got ${JSON.stringify(read)}`);
  return read.events;
}

export async function idsIn(store: EventStore, stream: string): Promise<string[]> {
  const read = await store.readStream(stream, { direction: 'forwards', from: 'start', maxCount: 4_096 });
  return read.outcome === 'not_found' ? [] : eventsOf(read).map(({ id }) => id);
}

export const idsOf = (events: readonly { readonly id: string }[]): string[] => events.map(({ id }) => id);

/** Waits until it holds, a bounded time. */
export async function eventually(holds: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`not within ${PATIENCE_MS} ms: ${what}`);
    await systemClock.sleep(POLL_MS);
  }
}

/** Follows, and notes everything in the order in which it was said. */
export function follow(store: EventStore, options: Pick<FollowOptions, 'of' | 'after'>) {
  const events: RecordedEvent[] = [];
  const checkpoints: string[] = [];
  const said: ('caught_up' | 'down' | 'back')[] = [];
  const following = store.follow({
    ...options,
    onEvent: (event) => {
      events.push(event);
    },
    onCheckpoint: (position) => {
      checkpoints.push(position);
    },
    onCaughtUp: () => said.push('caught_up'),
    onDown: (down) => said.push(down ? 'down' : 'back'),
  });
  return {
    events,
    checkpoints,
    said,
    close: () => following.close(),
    caughtUp: () => eventually(() => said.includes('caught_up'), 'caught up'),
    has: (count: number) => eventually(() => events.length >= count, `${count} events followed`),
  };
}
