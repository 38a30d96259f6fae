import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Bite } from './bite';
import { inLanes } from './lane';
import { mutated, readMutation, readMutations, root } from './mutation';
import { tableOfMutations } from './record';

jest.setTimeout(600_000);

const mutations = readMutations();
const caught = mutations.filter(({ seed }) => seed > 0);
const bites = new Map<string, Bite | undefined>();

beforeAll(async () => {
  await inLanes(caught, async (lane, mutation) => {
    const { name: of, seed, within, breaks } = mutation;
    const written = await lane.try({ mutation: of, from: seed, seeds: 1, withFaults: true });
    const isMeant = written !== undefined && breaks.includes(written.violation.rule);
    // What seeds draw has changed since: what counts is that it is found within the seeds stated.
    const other = { mutation: of, from: 1, seeds: within, withFaults: true };
    bites.set(of, isMeant ? written : await lane.try(other));
  });
});

describe.each(caught.map((mutation) => [mutation.name, mutation] as const))(
  'the mutation %s',
  (name, mutation) => {
    it(`is caught: ${mutation.breaks.join(' or ')} is violated first`, () => {
      const { seed, within, breaks } = mutation;
      expect(seed).toBeLessThanOrEqual(within);
      expect(breaks).toContain(bites.get(name)?.violation.rule);
    });
  },
);

describe('mutations', () => {
  it.each(mutations.map((mutation) => [mutation.name, mutation] as const))(
    '%s fits the sources',
    (_, mutation) => {
      for (const { file } of mutation.changes) {
        const text = readFileSync(join(root, file), 'utf8');
        expect(mutated(mutation, file, text)).not.toBe(text);
      }
    },
  );

  it('are caught: twenty at least', () => {
    expect(caught.length).toBeGreaterThanOrEqual(20);
  });

  it('stand in the table of docs/TESTING.md, as their files have them', () => {
    const text = readFileSync(join(root, 'docs/TESTING.md'), 'utf8');
    expect(text).toContain(tableOfMutations(mutations));
  });

  it('that do not fit the source any more are named', () => {
    const mutation = readMutation(
      'blunt',
      'Bug: b\nBreaks: R1\nWithin: 1\nSeed: 0\n\n--- a/x.ts\n@@\n-one\n+two\n',
    );
    expect(() => mutated(mutation, 'x.ts', 'three\n')).toThrow(
      'The mutation blunt does not fit: x.ts has 0 times',
    );
    expect(() => mutated(mutation, 'x.ts', 'one\none\n')).toThrow('x.ts has 2 times, not once: one');
    expect(mutated(mutation, 'x.ts', 'none\n')).toBe('ntwo\n');
  });
});
