import { join, resolve } from 'node:path';
import { readConfig, type ChaosConfig } from './config';
import { defaultConfig } from './options';
import { planEachPair, titleOf, type RoundPlan } from './plans';
import { othersAt } from './points';
import { Tally } from './report/tally';
import { runMatrix } from './run-matrix';

/** Two minutes on two quiet cores. */
jest.setTimeout(900_000);

const reading = readConfig(defaultConfig);
if (!reading.ok) throw new Error(reading.problems.join('\n'));
/**
 * One that dies is then missed at once, and few processes have to start again; heirs take two executors. No round waits for
 * a lease to run out, so a longer one costs nothing, and a busy machine does not pass for a silent holder.
 */
const services = { orchestrators: 1, executors: 2, approvals: 1 };
const config: ChaosConfig = { ...reading.config, services, leaseTtlMs: 4_000 };
const fixtures = resolve(__dirname, '..', 'fixtures');

const run = async (plans: readonly RoundPlan[], over: Partial<ChaosConfig> = {}) => {
  const tally = new Tally();
  const env = process.env;
  const broken = await runMatrix({ plans, config: { ...config, ...over }, env, tally, say: () => undefined });
  return { broken, tally };
};

/** All that `npm run chaos` does in two hundred rounds, in so many as CI has time for. */
describe('the kill matrix', () => {
  it('kills at each point, and each other service while one stands there, and finds every effect as it is recorded', async () => {
    const plans = planEachPair(1, config);
    const { broken, tally } = await run(plans);
    const round = plans.find((plan) => plan.round === broken?.round);
    expect({ broken, round: round && titleOf(round) }).toEqual({});
    for (const [point, { died, struck }] of tally.points) {
      expect({ point, died }).toEqual({ point, died: 1 });
      for (const target of othersAt(point))
        expect({ point, target, times: struck[target] }).toEqual({ point, target, times: 1 });
    }
    expect(tally.completed().share).toBeGreaterThanOrEqual(0.95);
  });

  it('finds an effect that comes twice, here by a readback that lies', async () => {
    const choices = { round: 1, victim: 1, held: 'book', hold: 'after' } as const;
    const { broken } = await run([{ ...choices, kind: 'kill', point: 'K8', recovery: 'takeover' }], {
      tools: join(fixtures, 'lying.tools.yaml'),
    });
    expect(broken).toMatchObject({ round: 1, violation: { kind: 'safety', rule: 'R9' } });
  });
});
