import { APPEND_BYTES } from '../../limits';
import { acknowledged, eventsOf, idsIn, newEvent, newStream, type Scene } from '../scene';

const text = (bytes: number): { text: string } => ({ text: 'x'.repeat(bytes) });

export function sizeCases(scene: Scene): void {
  it('[C2] takes an event of almost the whole size and hands it out unharmed', async () => {
    const stream = newStream();
    const event = newEvent(text(APPEND_BYTES - 1_000));
    expect(await scene.store.append(stream, 'no_stream', [event])).toMatchObject(acknowledged(0));
    const read = await scene.store.readStream(stream, { direction: 'backwards', from: 'end', maxCount: 1 });
    expect(eventsOf(read)[0]?.data).toEqual(event.data);
  });

  it.each([
    ['one event', () => [newEvent(text(APPEND_BYTES))]],
    [
      'events that only together are',
      () => Array.from({ length: 5 }, () => newEvent(text(APPEND_BYTES / 5))),
    ],
    ['characters of several bytes', () => [newEvent({ text: 'ä'.repeat(APPEND_BYTES / 2) })]],
    ['metadata', () => [{ ...newEvent(), metadata: text(APPEND_BYTES) }]],
  ])('[C2] refuses what is too large and stores nothing of it: %s', async (_, events) => {
    const stream = newStream();
    expect(await scene.store.append(stream, 'no_stream', events())).toEqual({
      outcome: 'refused',
      cause: 'append_too_large',
    });
    expect(await idsIn(scene.store, stream)).toEqual([]);
  });

  it('[C2] takes an append of a thousand events', async () => {
    const stream = newStream();
    const events = Array.from({ length: 1_000 }, (_, index) => newEvent({ index }));
    expect(await scene.store.append(stream, 'no_stream', events)).toMatchObject(acknowledged(999));
    expect(await idsIn(scene.store, stream)).toHaveLength(1_000);
  });
}
