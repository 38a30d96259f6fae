import { acknowledged, eventsOf, given, newEvents, newStream, type Scene } from '../scene';

export function capCases(scene: Scene): void {
  async function revisions(stream: string, from: number | 'start' = 'start'): Promise<number[]> {
    const read = await scene.store.readStream(stream, { direction: 'forwards', from, maxCount: 100 });
    return eventsOf(read).map(({ revision }) => revision);
  }

  it('[C3] keeps only the newest events readable, and their revisions', async () => {
    const stream = newStream('lease-');
    expect(await scene.store.capStream(stream, 3)).toMatchObject({ outcome: 'acknowledged' });
    await given(scene.store, stream, newEvents(5));
    expect(await revisions(stream)).toEqual([2, 3, 4]);
    expect(await scene.store.append(stream, 4, newEvents(2))).toMatchObject(acknowledged(6));
    expect(await revisions(stream)).toEqual([4, 5, 6]);
    expect(await revisions(stream, 1)).toEqual([4, 5, 6]);
  });

  it('[C3] keeps the last event of a stream that is capped to one', async () => {
    const stream = newStream('lease-');
    const events = newEvents(4);
    await given(scene.store, stream, events);
    await scene.store.capStream(stream, 1);
    const read = await scene.store.readStream(stream, { direction: 'backwards', from: 'end', maxCount: 10 });
    expect(eventsOf(read)).toMatchObject([{ id: events[3]?.id, revision: 3 }]);
  });

  it('[C3] takes the same cap twice, and another cap after it', async () => {
    const stream = newStream('lease-');
    await given(scene.store, stream, newEvents(6));
    for (let time = 0; time < 2; time += 1)
      expect(await scene.store.capStream(stream, 2)).toMatchObject(acknowledged(0));
    expect(await scene.store.capStream(stream, 4)).toMatchObject(acknowledged(1));
    expect(await revisions(stream)).toEqual([2, 3, 4, 5]);
  });

  it('[C1] recognises a repeat although the cap hides what it repeats', async () => {
    const stream = newStream('lease-');
    await scene.store.capStream(stream, 1);
    const batch = newEvents(2);
    await given(scene.store, stream, batch);
    await scene.store.append(stream, 1, newEvents(3));
    expect(await scene.store.append(stream, 'no_stream', batch)).toMatchObject(acknowledged(1));
  });

  it('[C3] shows in the log what a cap hides in its stream', async () => {
    const stream = newStream('lease-');
    await given(scene.store, stream, newEvents(1));
    const [first] = eventsOf(
      await scene.store.readStream(stream, { direction: 'forwards', from: 0, maxCount: 1 }),
    );
    await scene.store.capStream(stream, 1);
    await scene.store.append(stream, 0, newEvents(3));
    const read = await scene.store.readAll({
      direction: 'forwards',
      from: first?.position ?? 'start',
      maxCount: 100,
    });
    const shown = eventsOf(read).filter((event) => event.stream === stream);
    expect(shown.map(({ revision }) => revision)).toEqual([0, 1, 2, 3]);
  });
}
