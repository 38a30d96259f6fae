import { readConfig, storeFaults, type ChaosConfig } from '../config';
import { defaultConfig } from '../options';
import { othersAt, pointNames, targets } from '../points';
import { planEachPair, planRounds, pointOf, type RoundPlan } from '.';

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

  it.each([1, 2, 3])('of 25 rounds stands at every point once (seed %d)', (seed) => {
    const points = plan(seed, 25).flatMap((each) => pointOf(each) ?? []);
    expect([...points].sort()).toEqual([...pointNames].sort());
  });

  it.each([1, 2, 3])('of 200 rounds kills at every point at least five times (seed %d)', (seed) => {
    const plans = plan(seed, 200);
    for (const point of pointNames) {
      const died = plans.filter(
        (each) =>
          pointOf(each) === point && (each.kind === 'kill' || (each.kind === 'held' && each.then === 'dies')),
      );
      expect(died.length).toBeGreaterThanOrEqual(5);
    }
  });

  it.each([1, 2, 3])('of 200 rounds holds each point while each other is struck, alone (seed %d)', (seed) => {
    const struck = plan(seed, 200).flatMap((each) =>
      each.kind === 'held' ? [`${each.point} ${each.struck.join()}`] : [],
    );
    const pairs = pointNames.flatMap((point) => othersAt(point).map((target) => `${point} ${target}`));
    expect([...struck].sort()).toEqual(pairs.sort());
  });

  it('of 200 rounds recovers a death at each point both ways, and once with a fault besides', () => {
    const kills = plan(1, 200).flatMap((each) => (each.kind === 'kill' ? [each] : []));
    for (const point of pointNames) {
      const there = kills.filter((each) => each.point === point);
      expect(
        there.map(({ during, recovery }) => (during === undefined ? recovery : 'disturbed')).sort(),
      ).toEqual(['disturbed', 'restart', 'takeover']);
    }
  });

  it('of 200 rounds freezes at each point, silences each service both ways and strikes each target in each way', () => {
    const plans = plan(1, 200);
    const frozen = plans.flatMap((each) => (each.kind === 'frozen' ? [each.point] : []));
    const silent = plans.flatMap((each) => (each.kind === 'silent' ? [`${each.service} ${each.how}`] : []));
    const faults = plans.flatMap((each) => (each.kind === 'store' ? [each.fault] : []));
    const strikes = plans.flatMap((each) =>
      each.kind === 'held' ? [`${each.struck.join()} ${each.recovery}`] : [],
    );
    expect([...frozen].sort()).toEqual([...pointNames].sort());
    expect(new Set(silent).size).toBe(6);
    expect(new Set(faults)).toEqual(new Set(storeFaults));
    expect(new Set(strikes).size).toBe(targets.length * 3);
  });

  it('keeps to the points and kinds that are asked for', () => {
    const some = plan(1, 20, { kinds: ['kill'], points: ['K5', 'H2'] });
    expect(new Set(some.map((each) => (each.kind === 'kill' ? each.point : each.kind)))).toEqual(
      new Set(['K5', 'H2']),
    );
  });
});

describe('the plan of CI', () => {
  it('has each pair of a point and a killed service in two rounds for each point', () => {
    const plans = planEachPair(1, config);
    expect(plans).toHaveLength(2 * pointNames.length);
    for (const point of pointNames) {
      const here = plans.filter((each) => pointOf(each) === point);
      expect(here.map(({ kind }) => kind)).toEqual(['kill', 'held']);
      expect(here.flatMap((each) => (each.kind === 'held' ? each.struck : []))).toEqual(othersAt(point));
    }
  });
});
