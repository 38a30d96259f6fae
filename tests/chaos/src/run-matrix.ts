import { checkRound, notReached, type Violation } from './checks/check-round';
import type { RoundFacts } from './checks/facts';
import type { ChaosConfig } from './config';
import { chaosLimits } from './limits';
import { pointOf, titleOf, type RoundPlan } from './plans';
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

/** What the stacks that are under attack side by side have in common. */
interface Run extends MatrixOptions {
  readonly left: RoundPlan[];
  /** The first thing that broke; nothing begins after it. */
  broken?: Broken;
  failed: boolean;
}

/** Runs the plan in some stacks side by side, each taking the next round; ends at the first broken promise, which it answers. */
export async function runMatrix(options: MatrixOptions): Promise<Broken | undefined> {
  const run: Run = { ...options, left: [...options.plans], failed: false };
  const lanes = Math.min(options.config.sideBySide, options.plans.length);
  const ends = await Promise.allSettled(Array.from({ length: lanes }, () => runLane(run)));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
  return run.broken;
}

const goesOn = ({ left, broken, failed }: Run): boolean => left.length > 0 && broken === undefined && !failed;

async function runLane(run: Run): Promise<void> {
  try {
    while (goesOn(run)) await runStack(run);
  } catch (error) {
    run.failed = true;
    throw error;
  }
}

/** One stack for as many rounds as it lives. */
async function runStack(run: Run): Promise<void> {
  const world = await startWorld(run.config, run.env);
  try {
    for (let rounds = 1; rounds <= chaosLimits.roundsOfStack && goesOn(run); rounds += 1) {
      const plan = run.left.shift();
      if (plan === undefined) return;
      const isLast = rounds === chaosLimits.roundsOfStack || run.left.length === 0;
      const violation =
        (await runPlan(world, plan, run)) ??
        (isLast || rounds % chaosLimits.wholeAuditEvery === 0 ? await auditWhole(world) : undefined);
      if (violation !== undefined) run.broken ??= { round: plan.round, violation };
    }
  } finally {
    await world.close();
  }
}

/** A round whose point was not reached is run again, a few times. */
async function runPlan(world: World, plan: RoundPlan, run: Run): Promise<Violation | undefined> {
  for (let tried = 1; tried <= chaosLimits.roundTries; tried += 1) {
    const begun = performance.now();
    const facts = await runRound(world, plan, run.config);
    run.tally.add(facts);
    run.say(lineOf(facts, performance.now() - begun));
    const [violation] = checkRound(facts);
    if (violation !== undefined || !notReached(facts)) return violation;
  }
  const what = `${pointOf(plan) ?? ''} was not reached in ${chaosLimits.roundTries} tries`;
  return { rule: 'not_reached', kind: 'safety', what };
}

function lineOf(facts: RoundFacts, ms: number): string {
  const hit = notReached(facts) ? ', NOT REACHED' : '';
  return `round ${facts.plan.round}: ${titleOf(facts.plan)}${hit} (${(ms / 1_000).toFixed(1)} s)`;
}

async function auditWhole(world: World): Promise<Violation | undefined> {
  const [finding] = await auditFindings(world.store);
  return finding && { kind: 'safety', rule: finding.rule, what: finding.message };
}
