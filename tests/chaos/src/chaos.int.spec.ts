import { join, resolve } from 'node:path';
import { readConfig, type ChaosConfig } from './config';
import { defaultConfig } from './options';
import type { RoundPlan } from './plan';
import { Tally } from './report/tally';
import { runMatrix } from './run-matrix';

jest.setTimeout(180_000);

const reading = readConfig(defaultConfig);
if (!reading.ok) throw new Error(reading.problems.join('\n'));
const { config } = reading;
const fixtures = resolve(__dirname, '..', 'fixtures');

const run = async (plans: readonly RoundPlan[], over: Partial<ChaosConfig> = {}) => {
  const tally = new Tally();
  const env = process.env;
  const broken = await runMatrix({ plans, config: { ...config, ...over }, env, tally, say: () => undefined });
  return { broken, tally };
};

/** A few rounds of the matrix; all of it is `npm run chaos`. */
describe('the kill matrix', () => {
  const common = { victim: 1, held: 'book', hold: 'after', kind: 'kill' } as const;

  it('kills for real at each point, and finds every effect as it is recorded', async () => {
    const { broken, tally } = await run([
      { ...common, round: 1, point: 'K1', recovery: 'restart' },
      { ...common, round: 2, point: 'K5', recovery: 'takeover' },
      { ...common, round: 3, point: 'H2', recovery: 'takeover' },
      { ...common, round: 4, point: 'P1', recovery: 'restart' },
    ]);
    expect(broken).toBeUndefined();
    expect(tally.missed).toEqual([]);
    expect([...tally.kills].filter(([, kills]) => kills > 0)).toEqual([
      ['K1', 1],
      ['K5', 1],
      ['H2', 1],
      ['P1', 1],
    ]);
    expect(tally.completedShare()).toBe(1);
  });

  it('finds an effect that comes twice, here by a readback that lies', async () => {
    const { broken } = await run([{ ...common, round: 1, point: 'K8', recovery: 'takeover' }], {
      tools: join(fixtures, 'lying.tools.yaml'),
    });
    expect(broken).toMatchObject({ round: 1, violation: { kind: 'safety', rule: 'R9' } });
  });
});
