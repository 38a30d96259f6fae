import { whileListening } from './while-listening';

describe('what the product throws while a seed runs', () => {
  it('is known as thrown where its run fails', async () => {
    const thrown: string[] = [];
    const play = (): Promise<string> => Promise.reject(new Error('a bug'));
    expect(await whileListening({ thrown }, { play, failed: 'failed' })).toBe('failed');
    expect(thrown).toEqual([expect.stringContaining('a bug')]);
  });

  it('leaves nobody listening behind', async () => {
    const before = process.listenerCount('unhandledRejection');
    await whileListening({ thrown: [] }, { play: () => Promise.resolve(1), failed: 0 });
    expect(process.listenerCount('unhandledRejection')).toBe(before);
  });
});
