import {
  acknowledged,
  eventually,
  follow,
  given,
  idsIn,
  idsOf,
  newEvents,
  newPrefix,
  newStream,
  type Scene,
} from '../scene';

export function restartCases(scene: Scene): void {
  const restart = async (): Promise<void> => {
    if (scene.under.restart === undefined) throw new Error('this store cannot be restarted');
    await scene.under.restart();
  };

  it('[C4] keeps what it has acknowledged through a SIGKILL', async () => {
    const stream = newStream();
    const kept: string[] = [];
    for (let round = 0; round < 3; round += 1) {
      for (let count = 0; count < 10; count += 1) {
        const events = newEvents(2);
        const expected = kept.length === 0 ? 'no_stream' : kept.length - 1;
        expect(await scene.store.append(stream, expected, events)).toMatchObject({ outcome: 'acknowledged' });
        kept.push(...idsOf(events));
      }
      await restart();
      expect(await idsIn(scene.store, stream)).toEqual(kept);
    }
  });

  it('[C1] recognises a repeat across a restart', async () => {
    const stream = newStream();
    const [head, batch] = [newEvents(3), newEvents(2)];
    await given(scene.store, stream, head);
    expect(await scene.store.append(stream, 2, batch)).toMatchObject(acknowledged(4));
    await restart();
    expect(await scene.store.append(stream, 2, batch)).toMatchObject({
      outcome: 'acknowledged',
      revision: 4,
    });
    expect(await idsIn(scene.store, stream)).toEqual(idsOf([...head, ...batch]));
  });

  it('[A5, protocol 5] stores every append once that is under way when the server is killed', async () => {
    const streams = Array.from({ length: 32 }, () => newStream());
    let isOver = false;
    const writers = streams.map(async (stream) => {
      const written: string[] = [];
      while (!isOver) {
        const events = newEvents(2);
        const expected = written.length === 0 ? 'no_stream' : written.length - 1;
        const outcome = await scene.store.append(stream, expected, events);
        expect(outcome).toMatchObject({ outcome: 'acknowledged', revision: written.length + 1 });
        written.push(...idsOf(events));
      }
      return written;
    });
    await restart();
    await restart();
    isOver = true;
    const written = await Promise.all(writers);
    for (const [index, stream] of streams.entries())
      expect(await idsIn(scene.store, stream)).toEqual(written[index]);
  });

  it('[A3, C5] goes on following across a restart, without a gap', async () => {
    const prefix = newPrefix();
    const stream = `${prefix}a`;
    const all = follow(scene.store, { of: { prefixes: [prefix] }, after: 'start' });
    const one = follow(scene.store, { of: { stream }, after: 'start' });
    const [before, behind] = [newEvents(3), newEvents(3)];
    await given(scene.store, stream, before);
    await Promise.all([all.has(3), one.has(3), all.caughtUp(), one.caughtUp()]);
    await restart();
    expect(await scene.store.append(stream, 2, behind)).toMatchObject({
      outcome: 'acknowledged',
      revision: 5,
    });
    for (const { events, said, has, close } of [all, one]) {
      await has(6);
      expect([...new Set(idsOf(events))]).toEqual(idsOf([...before, ...behind]));
      expect(said.slice(0, 3)).toEqual(['caught_up', 'down', 'back']);
      await close();
    }
  });

  it('[A3] says again that it has caught up after a restart', async () => {
    const following = follow(scene.store, { of: { stream: newStream() }, after: 'start' });
    await following.caughtUp();
    await restart();
    const times = () => following.said.filter((word) => word === 'caught_up').length;
    await eventually(() => times() > 1, 'caught up again');
    await following.close();
  });

  it('[A5] answers again after a restart', async () => {
    await restart();
    expect(await scene.store.append(newStream(), 'no_stream', newEvents(1))).toMatchObject({
      outcome: 'acknowledged',
    });
    expect(await scene.store.ping()).toBe(true);
  });
}
