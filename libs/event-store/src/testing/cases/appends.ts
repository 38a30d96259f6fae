import {
  acknowledged,
  eventsOf,
  given,
  idsIn,
  idsOf,
  newEvent,
  newEvents,
  newStream,
  type Scene,
} from '../scene';

export function appendCases(scene: Scene): void {
  it('[C1] begins a stream at revision 0 and goes on without gaps', async () => {
    const stream = newStream();
    expect(await scene.store.append(stream, 'no_stream', newEvents(2))).toMatchObject(acknowledged(1));
    expect(await scene.store.append(stream, 1, newEvents(1))).toMatchObject(acknowledged(2));
  });

  it('[C2] tells the log position of its last event, as reads do, if it tells any', async () => {
    const stream = newStream();
    const outcome = await scene.store.append(stream, 'no_stream', newEvents(3));
    const read = await scene.store.readStream(stream, { direction: 'backwards', from: 'end', maxCount: 1 });
    const told = outcome.outcome === 'acknowledged' ? outcome.position : 'not acknowledged';
    expect([undefined, eventsOf(read)[0]?.position]).toContain(told);
  });

  it('[C1] refuses a stream that exists where none was expected, and says what it has', async () => {
    const stream = newStream();
    await given(scene.store, stream, newEvents(3));
    const outcome = await scene.store.append(stream, 'no_stream', newEvents(1));
    expect(outcome).toEqual({ outcome: 'conflict', actual: 2 });
  });

  it.each([
    ['behind', 0],
    ['ahead of', 7],
  ])('[C1] refuses an expected revision %s the stream', async (_, expected) => {
    const stream = newStream();
    const events = newEvents(3);
    await given(scene.store, stream, events);
    expect(await scene.store.append(stream, expected, newEvents(1))).toEqual({
      outcome: 'conflict',
      actual: 2,
    });
    expect(await idsIn(scene.store, stream)).toEqual(idsOf(events));
  });

  it('[C1] refuses a revision of a stream that does not exist', async () => {
    const stream = newStream();
    const outcome = await scene.store.append(stream, 0, newEvents(1));
    expect(outcome).toEqual({ outcome: 'conflict', actual: 'no_stream' });
    expect(await idsIn(scene.store, stream)).toEqual([]);
  });

  it('[C2] stores all events of an append or none', async () => {
    const stream = newStream();
    const [first, refused] = [newEvents(3), newEvents(3)];
    await given(scene.store, stream, first);
    await scene.store.append(stream, 1, refused);
    expect(await idsIn(scene.store, stream)).toEqual(idsOf(first));
  });

  it('[C1, protocol 5] lets one of two writers at the same revision win', async () => {
    for (let round = 0; round < 20; round += 1) {
      const stream = newStream();
      const other = scene.connect();
      const head = newEvents(5);
      await given(scene.store, stream, head);
      const [ours, theirs] = [newEvents(2), newEvents(2)];
      const outcomes = await Promise.all([
        scene.store.append(stream, 4, ours),
        other.append(stream, 4, theirs),
      ]);
      const winner = outcomes[0]?.outcome === 'acknowledged' ? ours : theirs;
      expect(outcomes.map(({ outcome }) => outcome).sort()).toEqual(['acknowledged', 'conflict']);
      expect(await idsIn(scene.store, stream)).toEqual(idsOf([...head, ...winner]));
      await other.close();
    }
  });

  it('[C2] keeps many appends on many streams apart', async () => {
    const streams = Array.from({ length: 64 }, () => newStream());
    await Promise.all(
      streams.map(async (stream) => {
        for (let revision = -1; revision < 9; revision += 1)
          expect(
            await scene.store.append(stream, revision < 0 ? 'no_stream' : revision, [newEvent({ stream })]),
          ).toMatchObject(acknowledged(revision + 1));
      }),
    );
    for (const stream of streams) expect(await idsIn(scene.store, stream)).toHaveLength(10);
  });

  it('[C4] shows an acknowledged append to the next read of any client', async () => {
    const other = scene.connect();
    for (let round = 0; round < 20; round += 1) {
      const stream = newStream();
      const events = newEvents(1);
      await given(scene.store, stream, events);
      expect(await idsIn(other, stream)).toEqual(idsOf(events));
    }
    await other.close();
  });

  it('keeps every value of JSON as it was', async () => {
    const stream = newStream();
    const data = {
      text: 'ä😀\u2028"\\',
      empty: '',
      nothing: null,
      list: [1, -0.5, 1e300, true, {}],
      deep: { a: { b: [] } },
    };
    const metadata = { $correlationId: 'x', actor: { epoch: 3 } };
    await given(scene.store, stream, [{ ...newEvent(data), metadata }]);
    const read = await scene.store.readStream(stream, { direction: 'forwards', from: 'start', maxCount: 1 });
    expect(read).toMatchObject({ events: [{ stream, revision: 0, type: 'TurnStarted', data, metadata }] });
  });

  it.each([
    ['empty', ''],
    ['not ASCII', 'sitzung-ä'],
    ['with a space', 'a b'],
    ["the store's own", '$all'],
    ['metadata', '$$session-x'],
    ['too long', 'x'.repeat(300)],
  ])('[A6] takes a stream name that is %s for a bug, before anything is sent', async (_, stream) => {
    await expect(scene.store.append(stream, 'no_stream', newEvents(1))).rejects.toThrow(RangeError);
  });
}
