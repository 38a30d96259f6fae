import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { mutationsFolder, readMutations, root, type Mutation } from './mutation';
import type { Outcome } from './outcome';

const tableHead =
  '| mutation | the bug | breaks | caught by seed | of at most |\n| --- | --- | --- | --- | --- |\n';
const docs = join(root, 'docs/TESTING.md');

/** The table of docs/TESTING.md. */
export const tableOfMutations = (mutations: readonly Mutation[]): string =>
  tableHead +
  mutations
    .map(
      ({ name, bug, breaks, seed, within }) =>
        `| \`${name}\` | ${bug} | ${breaks.join(' or ')} | ${seed === 0 ? 'not yet' : seed} | ${within} |\n`,
    )
    .join('');

/** Writes which seed was the first to catch each, 0 where none did, into its file and the table of the docs. */
export function record(outcomes: ReadonlyMap<Mutation, Outcome>): void {
  for (const [{ name }, outcome] of outcomes) {
    const file = join(mutationsFolder, `${name}.patch`);
    const seed = outcome.end === 'caught' ? outcome.bite.seed : 0;
    writeFileSync(file, readFileSync(file, 'utf8').replace(/^Seed: .*$/m, `Seed: ${seed}`));
  }
  const text = readFileSync(docs, 'utf8');
  const rows = /(?<=\n)\| mutation \|.*\n(?:\|.*\n)*/;
  writeFileSync(
    docs,
    text.replace(rows, () => tableOfMutations(readMutations())),
  );
}
