import { parseArgs } from 'node:util';
import { simulationLimits } from './limits';

export interface Options {
  readonly seeds: number;
  readonly from: number;
}
export type OptionsReading =
  | { readonly ok: true; readonly options: Options }
  | { readonly ok: false; readonly lines: readonly string[] };

const usage = 'Usage: npm run simulate -- [--seeds N] [--from S]';

export function readOptions(args: readonly string[]): OptionsReading {
  const text = { type: 'string' } as const;
  let values: { seeds?: string; from?: string };
  try {
    ({ values } = parseArgs({ args: [...args], options: { seeds: text, from: text } }));
  } catch (error) {
    return { ok: false, lines: [error instanceof Error ? error.message : 'wrong usage', usage] };
  }
  const { most, default: usual } = simulationLimits.seeds;
  const seeds = whole(values.seeds ?? String(usual), 1);
  const from = whole(values.from ?? '1', 0);
  if (seeds === undefined || from === undefined)
    return { ok: false, lines: [`--seeds: 1 to ${most}; --from: 0 to ${most}`, usage] };
  return { ok: true, options: { seeds, from } };
}

function whole(text: string, min: number): number | undefined {
  const value = Number(text);
  return /^[0-9]+$/.test(text) && value >= min && value <= simulationLimits.seeds.most ? value : undefined;
}
