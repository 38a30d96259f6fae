import type { ReadStreamOptions } from '@writ/runtime';
import { eventsOf, given, newEvents, newStream, type Scene } from '../scene';

export function streamReadCases(scene: Scene): void {
  const forwards = (from: ReadStreamOptions['from'], maxCount = 100): ReadStreamOptions => ({
    direction: 'forwards',
    from,
    maxCount,
  });
  const backwards = (from: ReadStreamOptions['from'], maxCount = 100): ReadStreamOptions => ({
    direction: 'backwards',
    from,
    maxCount,
  });
  const stream = newStream();
  beforeAll(() => given(scene.store, stream, newEvents(10)));

  async function revisions(options: ReadStreamOptions): Promise<number[]> {
    return eventsOf(await scene.store.readStream(stream, options)).map(({ revision }) => revision);
  }

  it.each([
    ['all of it', forwards('start'), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]],
    ['a page from the start', forwards('start', 3), [0, 1, 2]],
    ['a page from a revision on, itself included', forwards(4, 3), [4, 5, 6]],
    ['up to the end', forwards(8), [8, 9]],
    ['all of it backwards', backwards('end'), [9, 8, 7, 6, 5, 4, 3, 2, 1, 0]],
    ['the newest', backwards('end', 1), [9]],
    ['a page backwards from a revision on, itself included', backwards(4, 3), [4, 3, 2]],
    ['down to the beginning', backwards(1), [1, 0]],
  ])('[A3] reads %s', async (_, options, expected) => {
    expect(await revisions(options)).toEqual(expected);
  });

  it.each([
    ['right behind the end', forwards(10)],
    ['far beyond the end', forwards(1_000)],
    ['on from the end', forwards('end')],
  ])('[C2] finds nothing, but finds the stream, %s', async (_, options) => {
    expect(await scene.store.readStream(stream, options)).toEqual({ outcome: 'events', events: [] });
  });

  it.each([
    ['forwards', forwards('start')],
    ['forwards from a revision', forwards(3)],
    ['backwards', backwards('end')],
  ])('[A4] says that a stream is not there, %s', async (_, options) => {
    expect(await scene.store.readStream(newStream(), options)).toEqual({ outcome: 'not_found' });
  });

  it('[C2] gives every event its own, growing log position', async () => {
    const read = eventsOf(await scene.store.readStream(stream, forwards('start')));
    const positions = read.map(({ position }) => BigInt(position));
    expect(positions).toEqual([...positions].sort((a, b) => (a < b ? -1 : 1)));
    expect(new Set(positions).size).toBe(10);
  });

  it('[A6.7] reads a stream of many pages without a gap', async () => {
    const long = newStream();
    await given(scene.store, long, newEvents(900));
    await scene.store.append(long, 899, newEvents(900));
    const seen: number[] = [];
    for (let from = 0; from < 1_800; from += 200)
      seen.push(
        ...eventsOf(await scene.store.readStream(long, forwards(from, 200))).map(({ revision }) => revision),
      );
    expect(seen).toEqual(Array.from({ length: 1_800 }, (_, revision) => revision));
  });

  it.each([0, -1, 1.5, 1_000_000])('takes a page of %p events for a bug', async (maxCount) => {
    await expect(scene.store.readStream(stream, forwards('start', maxCount))).rejects.toThrow(RangeError);
  });
}
