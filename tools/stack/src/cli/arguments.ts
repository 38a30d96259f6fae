import { parseArgs } from 'node:util';
import { messageOf } from '../error-facts';
import { stackLimits } from '../limits';

export interface UpArguments {
  readonly data?: string | undefined;
  readonly config?: string | undefined;
  readonly tools?: string | undefined;
  readonly portBase: number;
  readonly executors: number;
  readonly orchestrators: number;
  readonly approvals: number;
  readonly json: boolean;
  readonly restart: boolean;
  readonly help: boolean;
}

export type UpReading =
  { readonly ok: true; readonly args: UpArguments } | { readonly ok: false; readonly line: string };

const options = {
  data: { type: 'string' },
  config: { type: 'string' },
  tools: { type: 'string' },
  'port-base': { type: 'string' },
  executors: { type: 'string' },
  orchestrators: { type: 'string' },
  approvals: { type: 'string' },
  json: { type: 'boolean' },
  restart: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

export const usage = [
  'usage: npm run up -- [--data DIR] [--config FILE] [--tools FILE] [--port-base 7400]',
  '                     [--executors N] [--orchestrators N] [--approvals N] [--restart] [--json]',
].join('\n');

export function readArguments(argv: readonly string[]): UpReading {
  let values: { readonly [name: string]: string | boolean | undefined };
  try {
    ({ values } = parseArgs({ args: [...argv], options, strict: true }));
  } catch (error) {
    return wrong(messageOf(error).split('\n')[0] ?? '');
  }
  const { min, max, default: defaultBase } = stackLimits.portBase;
  const numbers = {
    portBase: wholeNumber(values['port-base'], defaultBase),
    executors: wholeNumber(values['executors'], 1),
    orchestrators: wholeNumber(values['orchestrators'], 1),
    approvals: wholeNumber(values['approvals'], 1),
  };
  if (!(numbers.portBase >= min && numbers.portBase <= max))
    return wrong(`--port-base: a port from ${min} to ${max}`);
  for (const name of ['executors', 'orchestrators', 'approvals'] as const) {
    const isFine = numbers[name] >= 0 && numbers[name] <= stackLimits.instances.max;
    if (!isFine) return wrong(`--${name}: a whole number from 0 to ${stackLimits.instances.max}`);
  }
  return { ok: true, args: { ...files(values), ...numbers, ...flags(values) } };
}

function wrong(what: string): UpReading {
  return { ok: false, line: `${what}\n${usage}` };
}

type Values = { readonly [name: string]: string | boolean | undefined };

function files(values: Values): Pick<UpArguments, 'data' | 'config' | 'tools'> {
  const path = (name: string): string | undefined => {
    const value = values[name];
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  return { data: path('data'), config: path('config'), tools: path('tools') };
}

function flags(values: Values): Pick<UpArguments, 'json' | 'restart' | 'help'> {
  const has = (name: string): boolean => values[name] === true;
  return { json: has('json'), restart: has('restart'), help: has('help') };
}

/** NaN where the text is no whole number. */
function wholeNumber(text: string | boolean | undefined, fallback: number): number {
  if (text === undefined) return fallback;
  return typeof text === 'string' && /^[0-9]{1,5}$/.test(text) ? Number(text) : Number.NaN;
}
