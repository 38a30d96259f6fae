import { acknowledged, given, idsIn, idsOf, newEvents, newStream, type Scene } from '../scene';

export function idempotenceCases(scene: Scene): void {
  it('[C1, F27 a] acknowledges the same events at the same revision again, and stores them once', async () => {
    const stream = newStream();
    const [head, batch] = [newEvents(5), newEvents(3)];
    await given(scene.store, stream, head);
    for (let time = 0; time < 3; time += 1)
      expect(await scene.store.append(stream, 4, batch)).toMatchObject(acknowledged(7));
    expect(await idsIn(scene.store, stream)).toEqual(idsOf([...head, ...batch]));
  });

  it('[C1] acknowledges a repeated first append', async () => {
    const stream = newStream();
    const batch = newEvents(2);
    expect(await scene.store.append(stream, 'no_stream', batch)).toMatchObject(acknowledged(1));
    expect(await scene.store.append(stream, 'no_stream', batch)).toMatchObject(acknowledged(1));
  });

  it('[C1] acknowledges a repeat after others have appended', async () => {
    const stream = newStream();
    const batch = newEvents(2);
    await given(scene.store, stream, batch);
    await scene.store.append(stream, 1, newEvents(4));
    expect(await scene.store.append(stream, 'no_stream', batch)).toMatchObject(acknowledged(1));
  });

  it('[C1] acknowledges the beginning of what was appended', async () => {
    const stream = newStream();
    const batch = newEvents(3);
    await given(scene.store, stream, batch);
    expect(await scene.store.append(stream, 'no_stream', batch.slice(0, 2))).toMatchObject(acknowledged(1));
  });

  it('[C1] refuses a repeat that goes on beyond what was appended', async () => {
    const stream = newStream();
    const [batch, more] = [newEvents(1), newEvents(1)];
    await given(scene.store, stream, batch);
    expect(await scene.store.append(stream, 'no_stream', [...batch, ...more])).toMatchObject({
      outcome: 'conflict',
    });
    expect(await idsIn(scene.store, stream)).toEqual(idsOf(batch));
  });

  it('[C1] refuses a repeat in another order', async () => {
    const stream = newStream();
    const batch = newEvents(2);
    await given(scene.store, stream, batch);
    expect(await scene.store.append(stream, 'no_stream', [...batch].reverse())).toMatchObject({
      outcome: 'conflict',
    });
  });

  it('[C1, F27 b] stores the same events a second time at the revision that the stream has now', async () => {
    const stream = newStream();
    const [head, batch] = [newEvents(5), newEvents(1)];
    await given(scene.store, stream, head);
    expect(await scene.store.append(stream, 4, batch)).toMatchObject(acknowledged(5));
    expect(await scene.store.append(stream, 5, batch)).toMatchObject(acknowledged(6));
    expect(await idsIn(scene.store, stream)).toEqual(idsOf([...head, ...batch, ...batch]));
  });

  it('[C1] compares ids only, never what the events say', async () => {
    const stream = newStream();
    const [event] = newEvents(1);
    if (event === undefined) throw new Error('no event');
    await given(scene.store, stream, [event]);
    expect(
      await scene.store.append(stream, 'no_stream', [{ ...event, data: { other: true } }]),
    ).toMatchObject(acknowledged(0));
  });

  it('[C1] knows nothing of ids in other streams', async () => {
    const [stream, other] = [newStream(), newStream()];
    const batch = newEvents(2);
    await given(scene.store, stream, batch);
    await given(scene.store, other, batch);
    expect(await idsIn(scene.store, other)).toEqual(idsOf(batch));
  });

  it('[C1, F27] stores a race between an append and its own repeat once', async () => {
    const stream = newStream();
    const [head, batch] = [newEvents(1), newEvents(3)];
    await given(scene.store, stream, head);
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => scene.store.append(stream, 0, batch)));
    for (const outcome of outcomes) expect(outcome).toMatchObject({ outcome: 'acknowledged', revision: 3 });
    expect(await idsIn(scene.store, stream)).toEqual(idsOf([...head, ...batch]));
  });
}
