import { claim, grant, hold, newCall, orderRerun, request, takeOver } from '../testing/call-world';
import { executor, heir } from '../testing/facts';
import { beginning } from '../testing/journal';
import { waitedForPersonMs } from './person-wait';

const at = (ms: number): number => beginning + ms;
const asked = newCall({ verdict: 'ask' }).did(request(), at(1_000));

describe('the time that a person was waited for', () => {
  it('runs from the request to the decision', () => {
    expect(waitedForPersonMs([newCall({ verdict: 'ask' }).state], at(9_000))).toBe(0);
    expect(waitedForPersonMs([asked.state], at(4_000))).toBe(3_000);
    expect(waitedForPersonMs([asked.did(grant(), at(2_500)).state], at(9_000))).toBe(1_500);
  });

  it('runs from a hold to its resolution', () => {
    const held = newCall({ effectClass: 'irreversible', onDoubt: 'hold_for_person' })
      .did(claim(), at(0))
      .did(takeOver(), at(1_000))
      .did(hold(), at(2_000));
    expect(waitedForPersonMs([held.state], at(5_000))).toBe(3_000);
    expect(waitedForPersonMs([held.did(orderRerun, at(4_000)).state], at(9_000))).toBe(2_000);
  });

  it('adds up what one call has waited for, each to its own end', () => {
    const world = newCall({ verdict: 'ask', effectClass: 'irreversible', onDoubt: 'hold_for_person' })
      .did(request(), at(0))
      .did(grant(), at(1_000))
      .did(claim(), at(2_000))
      .did(takeOver(executor, 'gone', heir), at(3_000))
      .did(hold({ epoch: 3 }), at(4_000))
      .did(orderRerun, at(6_000));
    expect(waitedForPersonMs([world.state], at(9_000))).toBe(1_000 + 2_000);
  });

  it('counts a moment once, however many calls wait in it', () => {
    const early = asked.did(grant(), at(3_000)).state;
    const inside = newCall({ verdict: 'ask' }).did(request(), at(1_500)).did(grant(), at(2_000)).state;
    const overlapping = newCall({ verdict: 'ask' }).did(request(), at(2_000)).did(grant(), at(4_000)).state;
    const apart = newCall({ verdict: 'ask' }).did(request(), at(6_000)).did(grant(), at(7_000)).state;
    expect(waitedForPersonMs([apart, overlapping, early, inside], at(9_000))).toBe(3_000 + 1_000);
  });

  it('is never negative, whatever the clocks of two writers say', () => {
    expect(waitedForPersonMs([asked.state], at(0))).toBe(0);
  });
});
