import * as fc from 'fast-check';
import { historyRules } from '../invariants';
import { SimulatedRun } from '../testing/simulated-run/run';

const choices = fc.array(fc.nat({ max: 5_039 }), { minLength: 100, maxLength: 500, size: 'max' });

describe('whole turns, with everything going wrong in any order', () => {
  it.each([
    ['with executors that live', true],
    ['with no executor left', false],
  ])('%s: what is offered is accepted, the record keeps A1 to A7, and all settles', (_, executors) => {
    fc.assert(
      fc.property(choices, (numbers) => {
        const run = new SimulatedRun(numbers);
        run.withFaults();
        run.withoutFaults(executors);
        const findings = Object.values(historyRules).flatMap(
          (check) => check(run.streams.journal.events).findings,
        );
        expect(findings).toEqual([]);
        expect(run.streams.differsFromReplay()).toBe(false);
      }),
      { numRuns: 150 },
    );
  });
});
