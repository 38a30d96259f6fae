import { readFileSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { applyHunks, readChanges, type FileChange } from './patch';

/** The repository's root: four folders above this file, in `src` as in `dist`. */
export const root = resolve(__dirname, '../../../..');
export const mutationsFolder = join(root, 'tests/simulation/mutations');

/** A deliberate bug, as its file under `mutations/` says it. */
export interface Mutation {
  readonly name: string;
  /** What it does wrong, in one sentence. */
  readonly bug: string;
  /** The rule that it was written to break, or the rule and its twin in the audit: caught only where that is violated first. */
  readonly breaks: readonly string[];
  /** It must be caught by one of so many seeds, from 1 on. */
  readonly within: number;
  /** The first seed that catches it, as `--record` found it; 0 where none is recorded. */
  readonly seed: number;
  readonly changes: readonly FileChange[];
}

const headSchema = z.object({
  Bug: z.string().min(1),
  Breaks: z
    .string()
    .regex(/^[RAI§][0-9]+( or [RAI§][0-9]+)?$/)
    .transform((rules) => rules.split(' or ')),
  Within: z.coerce.number().int().min(1).max(10_000),
  Seed: z.coerce.number().int().min(0),
});

/** All of them, by name. */
export function readMutations(): readonly Mutation[] {
  return readdirSync(mutationsFolder)
    .filter((file) => file.endsWith('.patch'))
    .sort()
    .map((file) =>
      readMutation(file.slice(0, -'.patch'.length), readFileSync(join(mutationsFolder, file), 'utf8')),
    );
}

/** A head of `Word: text` lines, then a diff; a line of the head that begins with a space goes on with the one before. */
export function readMutation(name: string, text: string): Mutation {
  const [head = ''] = text.split(/^--- a\//m);
  const lines = head.replace(/\n +/g, ' ').split('\n');
  const said = lines.flatMap((line) => [...line.matchAll(/^(\w+): (.*)$/g)]);
  const read = headSchema.safeParse(Object.fromEntries(said.map(([, word, rest]) => [word, rest])));
  if (!read.success) throw new Error(`${name}: ${z.prettifyError(read.error)}`);
  const { Bug: bug, Breaks: breaks, Within: within, Seed: seed } = read.data;
  const changes = readChanges(text);
  if (changes.length === 0) throw new Error(`${name}: changes nothing`);
  return { name, bug, breaks, within, seed, changes };
}

/** The text of a source under the mutation; throws, naming it, where it does not fit the source any more. */
export function mutated(mutation: Mutation, file: string, text: string): string {
  return mutation.changes
    .filter((change) => change.file === file)
    .reduce((before, change) => {
      const patched = applyHunks(before, change);
      if (!patched.ok) throw new Error(`The mutation ${mutation.name} does not fit: ${patched.problem}`);
      return patched.text;
    }, text);
}
