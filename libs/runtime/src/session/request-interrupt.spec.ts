import { controlStream } from '@writ/contracts';
import { countingEntropy, toldClock } from '../testing/edge';
import { LossyStore } from '../testing/lossy-store';
import { requestInterrupt } from './request-interrupt';

const context = { actor: { service: 'turn-orchestrator' as const }, correlationId: 's1' };
const session = (turnId: string, status: 'open' | 'completed' = 'open') => ({
  sessionId: 's1',
  turn: { turnId, status },
});

function deskOver(store: LossyStore) {
  const entropy = countingEntropy();
  const bus = { notice: () => undefined };
  return (turn: Parameters<typeof session>) =>
    requestInterrupt({ store, clock: toldClock(), entropy, bus }, session(...turn), context);
}

describe('a wish to interrupt', () => {
  const written = (store: LossyStore) => store.types(controlStream('s1'));

  it('is on record when it is answered, once for each turn', async () => {
    const store = new LossyStore();
    const interrupt = deskOver(store);
    expect(await interrupt(['t1'])).toEqual({ interrupted: true });
    expect(await interrupt(['t1'])).toEqual({ interrupted: true });
    expect(written(store)).toEqual(['InterruptRequested']);
    expect(await interrupt(['t2'])).toEqual({ interrupted: true });
    expect(written(store)).toEqual(['InterruptRequested', 'InterruptRequested']);
  });

  it('that comes at the same moment as another is granted like the other', async () => {
    const store = new LossyStore();
    const [one, two] = [deskOver(store), deskOver(store)];
    expect(await Promise.all([one(['t1']), two(['t1'])])).toEqual([
      { interrupted: true },
      { interrupted: true },
    ]);
    expect(written(store)).toEqual(['InterruptRequested']);
  });

  it('that cannot be recorded is refused, and one for a turn that has ended is none', async () => {
    const store = new LossyStore();
    const interrupt = deskOver(store);
    expect(await interrupt(['t1', 'completed'])).toEqual({ interrupted: false });
    store.next.push('lost');
    expect(await interrupt(['t1'])).toMatchObject({ refused: 'store_unavailable' });
    store.away = true;
    expect(await interrupt(['t1'])).toMatchObject({ refused: 'store_unavailable' });
    expect(written(store)).toEqual([]);
  });
});
