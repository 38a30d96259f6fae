import { pointNames, readConfig, storeFaults, type ChaosConfig } from './config';
import { defaultConfig } from './options';
import { heldPoints, planRounds, type RoundPlan } from './plan';

const reading = readConfig(defaultConfig);
if (!reading.ok) throw new Error(reading.problems.join('\n'));
const { config } = reading;
const plan = (seed: number, rounds: number, over: Partial<ChaosConfig> = {}): readonly RoundPlan[] =>
  planRounds(seed, rounds, { ...config, ...over });

describe('the plan of a run', () => {
  it('is the same for the same seed, another for another, and begins the same however long it is', () => {
    expect(plan(7, 60)).toEqual(plan(7, 60));
    expect(plan(7, 60)).not.toEqual(plan(8, 60));
    expect(plan(7, 60)).toEqual(plan(7, 200).slice(0, 60));
  });

  it.each([1, 2, 3])(
    'of 200 rounds kills at every point at least five times, recovered both ways (seed %d)',
    (seed) => {
      const kills = plan(seed, 200).flatMap((each) => (each.kind === 'kill' ? [each] : []));
      for (const point of pointNames) {
        const there = kills.filter((each) => each.point === point);
        expect(there.length).toBeGreaterThanOrEqual(5);
        expect(new Set(there.map(({ recovery }) => recovery)).size).toBe(2);
      }
    },
  );

  it('of 200 rounds has every held point, every silence of a service and every fault of the store', () => {
    const plans = plan(1, 200);
    const held = plans.flatMap((each) => (each.kind === 'others' ? [each.point] : []));
    const silent = plans.flatMap((each) => (each.kind === 'silent' ? [`${each.service} ${each.how}`] : []));
    const faults = plans.flatMap((each) => (each.kind === 'store' ? [each.fault] : []));
    expect(new Set(held)).toEqual(new Set(heldPoints));
    expect(new Set(silent).size).toBe(6);
    expect(new Set(faults)).toEqual(new Set(storeFaults));
  });

  it('keeps to the points and kinds that are asked for', () => {
    const some = plan(1, 20, { kinds: ['kill'], points: ['K5', 'H2'] });
    expect(new Set(some.map((each) => (each.kind === 'kill' ? each.point : each.kind)))).toEqual(
      new Set(['K5', 'H2']),
    );
  });
});
