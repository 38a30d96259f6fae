import { InMemoryEventStore } from './store';
import { InMemoryLog } from './log';

const event = (id: string) => ({ id, type: 'TurnStarted' as const, data: { id }, metadata: {} });

describe('the in-memory store', () => {
  it('shares one log between stores that stand for several clients', async () => {
    const log = new InMemoryLog();
    const [one, two] = [new InMemoryEventStore({ log }), new InMemoryEventStore({ log })];
    await one.append('session-a', 'no_stream', [event('1')]);
    expect(await two.append('session-a', 'no_stream', [event('2')])).toEqual({
      outcome: 'conflict',
      actual: 0,
    });
  });

  it('answers what its interceptor says, whatever was stored', async () => {
    const store = new InMemoryEventStore({
      intercept: {
        append: async (_, proceed) => {
          proceed();
          return { outcome: 'unknown', cause: 'store_timeout' };
        },
      },
    });
    expect(await store.append('session-a', 'no_stream', [event('1')])).toMatchObject({ outcome: 'unknown' });
    expect(store.log.events).toHaveLength(1);
  });

  it('stores nothing and answers unavailable while it is cut off', async () => {
    const store = new InMemoryEventStore();
    store.setDown(true);
    expect(await store.append('session-a', 'no_stream', [event('1')])).toMatchObject({ outcome: 'unknown' });
    expect(await store.readAll({ direction: 'forwards', from: 'start', maxCount: 1 })).toMatchObject({
      outcome: 'unavailable',
    });
    expect(await store.ping()).toBe(false);
    store.setDown(false);
    expect(await store.ping()).toBe(true);
    expect(store.log.events).toHaveLength(0);
  });

  it('delivers an event again whose handler failed', async () => {
    const store = new InMemoryEventStore();
    const seen: string[] = [];
    store.follow({
      of: { prefixes: ['session-'] },
      after: 'start',
      onEvent: ({ id }) => {
        seen.push(id);
        if (seen.length === 1) throw new Error('not yet');
      },
    });
    await store.append('session-a', 'no_stream', [event('1')]);
    await new Promise(setImmediate);
    await store.append('session-a', 0, [event('2')]);
    await new Promise(setImmediate);
    expect(seen).toEqual(['1', '1', '2']);
  });

  it('hands out what no reader can change', async () => {
    const store = new InMemoryEventStore();
    await store.append('session-a', 'no_stream', [event('1')]);
    const [recorded] = store.log.events;
    expect(Object.isFrozen(recorded) && Object.isFrozen(recorded?.data)).toBe(true);
  });
});
