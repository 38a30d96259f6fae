import type { RoundFacts } from '../checks/facts';
import { defaultConfig, type Options } from '../options';
import { readConfig } from '../config';
import { pointNames } from '../points';
import { shortfall } from './shortfall';
import { Tally } from './tally';

const reading = readConfig(defaultConfig);
if (!reading.ok) throw new Error(reading.problems.join('\n'));
const options: Options = { rounds: 200, seed: 1, config: reading.config };

const turn = { sessionId: 's', turnId: 't', status: 'completed' } as const;
const round: RoundFacts = {
  plan: { round: 7, victim: 1, held: 'book', hold: 'after', kind: 'kill', point: 'K5', recovery: 'restart' },
  harm: { isHit: true, hasDied: true },
  settled: true,
  isSilent: false,
  executorLives: true,
  turns: [turn],
  calls: [],
  findings: [],
  thrown: [],
};
const all = (times: number, over: Partial<RoundFacts> = {}): Tally => {
  const tally = new Tally();
  for (const point of pointNames)
    for (let time = 0; time < times; time += 1)
      tally.add({ ...round, ...over, plan: { ...round.plan, kind: 'kill', point, recovery: 'restart' } });
  return tally;
};

describe('the sum of a run', () => {
  it('is enough where every point was hit five times and every turn completed', () => {
    expect(shortfall(all(5), options)).toBeUndefined();
  });

  it('is not where a long run came to a point less often, but a short one or one round need not', () => {
    expect(shortfall(all(4), options)).toMatchObject({ rule: 'hits' });
    expect(shortfall(all(4), { ...options, rounds: 199 })).toBeUndefined();
    expect(shortfall(all(4), { ...options, only: 3 })).toBeUndefined();
  });

  it('counts no round that did not get to its point, and names it', () => {
    const tally = all(5, { harm: { isHit: false } });
    expect(shortfall(tally, options)).toMatchObject({ rule: 'hits' });
    expect(tally.repeated).toContain('K5 in round 7');
  });

  it('counts a turn that the harness interrupted as one that did not complete, and says of each why', () => {
    const turns = [turn, { ...turn, status: 'interrupted' as const }];
    const tally = all(5, { turns, harm: { isHit: true, hasDied: true, interrupted: ['s'] } });
    expect(shortfall(tally, options)).toMatchObject({
      rule: 'turns_complete',
      what: '50.0 of 100 turns completed',
    });
    expect(tally.endings[0]).toBe('round 7 (killed at K0, restart): interrupted, a person interrupted it');
  });
});
