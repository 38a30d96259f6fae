import { createHash } from 'node:crypto';
import type { Violation } from './checkers/history';
import { addRun, type Coverage } from './tally';
import { runSeed, type SeedRun } from './run-seed';

export interface Broken {
  readonly seed: number;
  readonly violation: Violation;
  readonly trace: readonly string[];
}

/** What some neighbouring seeds came to; ends early at the first that fails. */
export interface Portion {
  readonly from: number;
  readonly coverage: Coverage;
  /** Over the traces of all its runs: equal where the runs were the same, line for line. */
  readonly digest: string;
  readonly broken?: Broken;
}

export async function runPortion(from: number, seeds: number): Promise<Portion> {
  const coverage: Coverage = {};
  const digest = createHash('sha256');
  for (let seed = from; seed < from + seeds; seed += 1) {
    const broken = await runOne(seed, (run) => {
      digest.update(run.traceDigest);
      addRun(coverage, run);
    });
    if (broken !== undefined) return { from, coverage, digest: digest.digest('hex'), broken };
  }
  return { from, coverage, digest: digest.digest('hex') };
}

async function runOne(seed: number, take: (run: SeedRun) => void): Promise<Broken | undefined> {
  try {
    const run = await runSeed(seed);
    take(run);
    const violation = run.violations[0];
    return violation === undefined ? undefined : { seed, violation, trace: run.trace };
  } catch (error) {
    const what = error instanceof Error ? (error.stack ?? error.message) : 'unknown';
    return { seed, violation: { rule: 'throws', kind: 'thrown', what, at: 0 }, trace: [] };
  }
}
