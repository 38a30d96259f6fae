import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { readConfig, type ChaosConfig } from './config';
import { chaosLimits } from './limits';

export interface Options {
  readonly rounds: number;
  readonly seed: number;
  /** Of the plan this round alone. */
  readonly only?: number;
  readonly config: ChaosConfig;
}
export type OptionsReading =
  | { readonly ok: true; readonly options: Options }
  | { readonly ok: false; readonly lines: readonly string[] };

const usage = 'Usage: npm run chaos -- [--rounds N] [--seed S] [--only ROUND] [--config FILE]';
export const defaultConfig = join(resolve(__dirname, '..', 'fixtures'), 'chaos.yaml');

/** `newSeed` is asked where none is given. */
export function readOptions(args: readonly string[], newSeed: () => number): OptionsReading {
  let values: { rounds?: string; seed?: string; only?: string; config?: string };
  const text = { type: 'string' } as const;
  try {
    const options = { rounds: text, seed: text, only: text, config: text };
    ({ values } = parseArgs({ args: [...args], options }));
  } catch (error) {
    return { ok: false, lines: [error instanceof Error ? error.message : 'wrong usage', usage] };
  }
  const rounds = whole(values.rounds ?? String(chaosLimits.rounds.default), 1, chaosLimits.rounds.max);
  const seed = whole(values.seed ?? String(newSeed()), 0, chaosLimits.seed.max);
  if (rounds === undefined || seed === undefined) {
    const what = `--rounds: 1 to ${chaosLimits.rounds.max}; --seed: 0 to ${chaosLimits.seed.max}`;
    return { ok: false, lines: [what, usage] };
  }
  const only = values.only === undefined ? undefined : whole(values.only, 1, rounds);
  if (values.only !== undefined && only === undefined)
    return { ok: false, lines: [`--only: 1 to ${rounds}, the rounds`, usage] };
  const reading = readConfig(resolve(values.config ?? defaultConfig));
  if (!reading.ok) return { ok: false, lines: reading.problems };
  return {
    ok: true,
    options: { rounds, seed, config: reading.config, ...(only === undefined ? {} : { only }) },
  };
}

function whole(text: string, min: number, max: number): number | undefined {
  const value = Number(text);
  return /^[0-9]+$/.test(text) && value >= min && value <= max ? value : undefined;
}
