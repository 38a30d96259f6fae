import { parseArgs } from 'node:util';
import { inLanes } from './lane';
import { readMutations, type Mutation } from './mutation';
import { outcomeOf, type Outcome } from './outcome';
import { record } from './record';

/** Interfaces: `npm run teeth`. */
const codes = { allCaught: 0, notCaught: 1, usage: 2 } as const;

const answer = (line: string): void => void process.stdout.write(`${line}\n`);

void main().then((code) => (process.exitCode = code));

async function main(): Promise<number> {
  const { values } = parseArgs({ options: { mutation: { type: 'string' }, record: { type: 'boolean' } } });
  const { mutation: only, record: records = false } = values;
  const mutations = readMutations().filter(({ name }) => only === undefined || name === only);
  if (mutations.length === 0) {
    answer(`There is no mutation ${only ?? ''}; they are the files of tests/simulation/mutations.`);
    return codes.usage;
  }
  const outcomes = await judgeAll(mutations);
  if (records) record(outcomes);
  const missed = [...outcomes].filter(([, { end }]) => end !== 'caught').map(([{ name }]) => name);
  answer(`${mutations.length - missed.length} of ${mutations.length} caught.`);
  if (missed.length > 0) answer(`Not as they should be: ${missed.join(', ')}`);
  return missed.length === 0 ? codes.allCaught : codes.notCaught;
}

async function judgeAll(mutations: readonly Mutation[]): Promise<ReadonlyMap<Mutation, Outcome>> {
  const outcomes = await inLanes(mutations, async (lane, mutation) => {
    const outcome = await outcomeOf(lane, mutation);
    answer(lineOf(mutation, outcome));
    return [mutation, outcome] as const;
  });
  return new Map(outcomes);
}

function lineOf({ name, breaks, within }: Mutation, outcome: Outcome): string {
  switch (outcome.end) {
    case 'caught':
      return `caught    ${name}: ${said(outcome)}`;
    case 'not_caught':
      return `MISSED    ${name}: none of ${within} seeds breaks ${breaks.join(' or ')}`;
    case 'caught_by_another_rule':
      return `CONFUSED  ${name}: ${breaks.join(' or ')} expected, ${said(outcome)}`;
    case 'breaks_the_calm':
      return `TOO COARSE ${name}: where nothing fails, ${said(outcome)}`;
  }
}

const said = ({ bite: { seed, violation } }: Exclude<Outcome, { end: 'not_caught' }>): string =>
  `seed ${seed} breaks ${violation.rule}: ${violation.what}`;
