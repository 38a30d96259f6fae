import type { RecordedEvent } from '@writ/contracts';
import { eventsOf, given, newEvents, newPrefix, newStream, type Scene } from '../scene';

/** Events in these cases; other cases, and other people, may write between them. */
const PAGE = 50;

export function logCases(scene: Scene): void {
  const prefix = newPrefix();
  let own: RecordedEvent[] = [];

  async function ownFrom(from: string): Promise<RecordedEvent[]> {
    const found: RecordedEvent[] = [];
    for (let next = from; ;) {
      const page = eventsOf(await scene.store.readAll({ direction: 'forwards', from: next, maxCount: PAGE }));
      const seen = new Set(found.map(({ position }) => position));
      found.push(...page.filter(({ stream, position }) => stream.startsWith(prefix) && !seen.has(position)));
      const last = page.at(-1);
      if (page.length < PAGE || last === undefined) return found;
      next = last.position;
    }
  }

  beforeAll(async () => {
    for (const name of ['a', 'b', 'c']) await given(scene.store, `${prefix}${name}`, newEvents(40));
    const first = await scene.store.readStream(`${prefix}a`, { direction: 'forwards', from: 0, maxCount: 1 });
    own = await ownFrom(eventsOf(first)[0]?.position ?? '0');
  });

  it('[C2] has everything in one order, each stream in its own', () => {
    expect(own).toHaveLength(120);
    const positions = own.map(({ position }) => BigInt(position));
    expect(positions).toEqual([...positions].sort((a, b) => (a < b ? -1 : 1)));
    for (const name of ['a', 'b', 'c'])
      expect(
        own.filter(({ stream }) => stream === `${prefix}${name}`).map(({ revision }) => revision),
      ).toEqual(Array.from({ length: 40 }, (_, revision) => revision));
  });

  it('[C2] has the events of one append side by side', async () => {
    const streams = Array.from({ length: 16 }, () => newStream());
    await Promise.all(streams.map((stream) => given(scene.store, stream, newEvents(5))));
    const from = own.at(-1)?.position ?? 'start';
    const log = eventsOf(await scene.store.readAll({ direction: 'forwards', from, maxCount: 2_000 }));
    for (const stream of streams) {
      const first = log.findIndex((event) => event.stream === stream);
      expect(log.slice(first, first + 5).map((event) => event.stream)).toEqual(Array(5).fill(stream));
    }
  });

  it('[C2] gives an event the same position in its stream as in the log', async () => {
    const read = await scene.store.readStream(`${prefix}b`, {
      direction: 'forwards',
      from: 0,
      maxCount: 100,
    });
    expect(eventsOf(read)).toEqual(own.filter(({ stream }) => stream === `${prefix}b`));
  });

  it('[A3] begins at a position with the event that is there, in both directions', async () => {
    const [before, at, behind] = own.slice(4, 7);
    const from = at?.position ?? 'start';
    const forwards = await scene.store.readAll({ direction: 'forwards', from, maxCount: 2 });
    const backwards = await scene.store.readAll({ direction: 'backwards', from, maxCount: 2 });
    const [only] = eventsOf(await scene.store.readAll({ direction: 'backwards', from, maxCount: 1 }));
    expect(eventsOf(forwards)).toEqual([at, behind]);
    expect(eventsOf(backwards)).toEqual([at, before]);
    expect(only).toEqual(at);
  });

  it('[A3] begins backwards with the newest event', async () => {
    const stream = newStream();
    await given(scene.store, stream, newEvents(3));
    const read = await scene.store.readAll({ direction: 'backwards', from: 'end', maxCount: 100 });
    const revisions = eventsOf(read)
      .filter((event) => event.stream === stream)
      .map(({ revision }) => revision);
    expect(revisions).toEqual([2, 1, 0]);
  });

  it('[C2] ends where nothing is left', async () => {
    expect(await scene.store.readAll({ direction: 'forwards', from: 'end', maxCount: 5 })).toEqual({
      outcome: 'events',
      events: [],
    });
    expect(await scene.store.readAll({ direction: 'backwards', from: 'start', maxCount: 5 })).toEqual({
      outcome: 'events',
      events: [],
    });
  });

  it("[C2] leaves out the store's own streams", async () => {
    const stream = newStream('lease-');
    await scene.store.capStream(stream, 3);
    await given(scene.store, stream, newEvents(1));
    const read = await scene.store.readAll({ direction: 'backwards', from: 'end', maxCount: 500 });
    const streams = eventsOf(read).map((event) => event.stream);
    expect(streams).toContain(stream);
    expect(streams.filter((name) => name.startsWith('$'))).toEqual([]);
  });
}
