import type { RunResult } from '../ports';
import { heldByHeir } from '../testing/heir';
import { lostCall } from '../testing/lost-call';
import { reconcileCall } from './reconcile-call';

const threw = (notApplied: boolean): RunResult => ({ status: 'threw', notApplied, message: 'no' });

/** The effect on record of an idempotent call whose rerun failed, and of which nothing was to be seen then. */
async function effectOf(result: RunResult, holder: 'gone' | 'silent', fenced: boolean) {
  const world = await lostCall({ effectClass: 'idempotent', fenced, hasReadback: true });
  const taken = await world.takeOver(holder);
  const held = await heldByHeir(world, {
    run: () => ({ result: Promise.resolve(result), kill: () => undefined }),
    readback: () => Promise.resolve({ effect: 'not_applied', evidence: 'looked' }),
  });
  await reconcileCall(held, taken);
  const state = await world.now();
  return state.status === 'settled' ? state.result.effect : state.status;
}

describe('a rerun that failed after its first holder was lost', () => {
  it.each([
    ['silent', false, 'unknown'],
    ['silent', true, 'none'],
    ['gone', false, 'none'],
  ] as const)('has had no effect only where nobody may still act: %s, fenced %s: %s', async (...row) => {
    const [holder, fenced, effect] = row;
    expect(await effectOf(threw(false), holder, fenced)).toBe(effect);
    expect(await effectOf(threw(true), holder, fenced)).toBe(effect);
  });
});
