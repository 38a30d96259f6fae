import { createRequire } from 'node:module';
import { join } from 'node:path';
import { z } from 'zod';
import { checkRun } from '../checkers/check-run';
import type { Violation } from '../checkers/history';
import type { playSeed, SeedOptions } from '../run-seed';
import type { MutatedCopy } from './mutated-copy';

/** The first seed with a violated rule, and the first of those rules. */
export interface Bite {
  readonly seed: number;
  readonly violation: Violation;
}

export interface Seeds extends SeedOptions {
  readonly from: number;
  readonly seeds: number;
}

const isFunction = (value: unknown): boolean => typeof value === 'function';
const playedSchema = z.object({ playSeed: z.custom<typeof playSeed>(isFunction) });

/** Plays seeds with the copy's bug until one breaks a rule; who judges has no bug. */
export async function bite(
  { folder }: MutatedCopy,
  { from, seeds, ...options }: Seeds,
): Promise<Bite | undefined> {
  const load = createRequire(join(folder, 'index.js'));
  const { playSeed: play } = playedSchema.parse(load('./run-seed'));
  for (let seed = from; seed < from + seeds; seed += 1) {
    const violation = await judged(() => play(seed, options));
    if (violation !== undefined) return { seed, violation };
  }
  return undefined;
}

async function judged(play: () => ReturnType<typeof playSeed>): Promise<Violation | undefined> {
  const escaped: Violation[] = [];
  const note = (error: unknown): void => void escaped.push(thrown(error));
  process.on('unhandledRejection', note);
  try {
    const { world, asked, settled } = await play();
    const { violations } = await checkRun(world, asked, settled);
    return violations[0] ?? escaped[0];
  } catch (error) {
    return thrown(error);
  } finally {
    process.off('unhandledRejection', note);
  }
}

const thrown = (error: unknown): Violation => ({
  rule: 'throws',
  kind: 'thrown',
  what: error instanceof Error ? (error.stack ?? error.message) : 'unknown',
  at: 0,
});
