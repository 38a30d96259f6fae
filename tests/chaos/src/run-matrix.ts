import { checkRound, type Violation } from './checks/check-round';
import type { ChaosConfig } from './config';
import { chaosLimits } from './limits';
import { titleOf, type RoundPlan } from './plan';
import type { Tally } from './report/tally';
import { runRound } from './rounds/run-round';
import { auditFindings } from './world/record';
import { startWorld, type World } from './world/world';

export interface MatrixOptions {
  readonly plans: readonly RoundPlan[];
  readonly config: ChaosConfig;
  readonly env: NodeJS.ProcessEnv;
  readonly tally: Tally;
  readonly say: (line: string) => void;
}
export interface Broken {
  readonly round: number;
  readonly violation: Violation;
}

/** Runs the plan in one stack after the other; ends at the first broken promise, which it answers. */
export async function runMatrix(options: MatrixOptions): Promise<Broken | undefined> {
  const { plans } = options;
  for (let from = 0; from < plans.length; from += chaosLimits.roundsOfStack) {
    const world = await startWorld(options.config, options.env);
    try {
      const broken = await runIn(world, plans.slice(from, from + chaosLimits.roundsOfStack), options);
      if (broken !== undefined) return broken;
    } finally {
      await world.close();
    }
  }
  return undefined;
}

async function runIn(
  world: World,
  plans: readonly RoundPlan[],
  options: MatrixOptions,
): Promise<Broken | undefined> {
  const { config, say, tally } = options;
  for (const [index, plan] of plans.entries()) {
    const begun = performance.now();
    const facts = await runRound(world, plan, config);
    tally.add(facts);
    const hit = plan.kind === 'kill' && facts.harm.hits.length === 0 ? ', not reached' : '';
    say(
      `round ${plan.round}: ${titleOf(plan)}${hit} (${((performance.now() - begun) / 1_000).toFixed(1)} s)`,
    );
    const violation = checkRound(facts)[0];
    if (violation !== undefined) return { round: plan.round, violation };
    const isLast = index === plans.length - 1;
    if (!isLast && (index + 1) % chaosLimits.wholeAuditEvery !== 0) continue;
    const [finding] = await auditFindings(world.store);
    if (finding !== undefined)
      return { round: plan.round, violation: { kind: 'safety', rule: finding.rule, what: finding.message } };
  }
  return undefined;
}
