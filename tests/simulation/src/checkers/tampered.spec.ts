import { runSeed, type SeedRun } from '../run-seed';
import { World } from '../world/world';
import { checkEffects } from './effects';
import { stagedCalls, type Evidence } from './history';
import { checkMinimum } from './minimum';
import { checkOrder } from './order';

jest.setTimeout(60_000);

/** A run in which nothing failed; each test tells one lie about it. */
let run: SeedRun;
beforeAll(async () => {
  run = await runSeed(3, { withFaults: false });
});

const rulesOf = (evidence: Evidence): readonly string[] => [
  ...new Set([...checkEffects(evidence), ...checkOrder(evidence)].map(({ rule }) => rule)),
];

function without(evidence: Evidence, isGone: (event: Evidence['events'][number]) => boolean): Evidence {
  const ofStream = (stream: string) => evidence.ofStream(stream).filter((event) => !isGone(event));
  return { ...evidence, events: evidence.events.filter((event) => !isGone(event)), ofStream };
}

const world = (evidence: Evidence, changes: Partial<Evidence['outside']>): Evidence => ({
  ...evidence,
  outside: { begun: evidence.outside.begun, applied: evidence.outside.applied, ...changes },
});

describe('the checkers', () => {
  it('find nothing in a run that was in order', () => {
    expect(rulesOf(run.evidence)).toEqual([]);
  });

  it.each(['idempotent', 'reconcilable', 'irreversible'] as const)(
    'count the effects of a call that is %s: R9',
    (effectClass) => {
      const { begun, applied } = run.evidence.outside;
      const one = applied.find((effect) => effect.effectClass === effectClass);
      expect(one).toBeDefined();
      const twice = one === undefined ? applied : [...applied, one];
      expect(rulesOf(world(run.evidence, { begun, applied: twice }))).toEqual(['R9']);
    },
  );

  it('know whose key it is: R9', () => {
    const applied = run.evidence.outside.applied.map((effect) => ({ ...effect, key: 'one for all' }));
    expect(rulesOf(world(run.evidence, { applied }))).toEqual(['R9']);
  });

  it('find an effect without a start on record: R1', () => {
    const applied = run.evidence.outside.applied.map((effect) => ({ ...effect, logLength: 0 }));
    expect(rulesOf(world(run.evidence, { applied }))).toContain('R1');
  });

  it('find an effect that the record says never was: R8', () => {
    expect(rulesOf(world(run.evidence, { applied: [] }))).toEqual(['R8']);
  });

  it('find a turn that began over open calls: R3', () => {
    expect(rulesOf(without(run.evidence, ({ type }) => type === 'ToolResultCommitted'))).toContain('R3');
  });

  it('find a refused call without its result: R5', () => {
    const refused = [...stagedCalls(run.evidence.events).values()].filter(
      ({ data }) => data.verdict === 'refused',
    );
    expect(refused.length).toBeGreaterThan(0);
    expect(rulesOf(without(run.evidence, ({ type }) => type === 'ToolResultCommitted'))).toContain('R5');
  });

  it('find a tool that began without leave: R6', () => {
    expect(rulesOf(without(run.evidence, ({ type }) => type === 'ApprovalGranted'))).toContain('R6');
  });

  it('find a run that is too quiet to count', () => {
    expect(checkMinimum(run.world, 2)).toMatchObject([
      { rule: 'minimum', what: expect.stringContaining('2 sessions') },
    ]);
    expect(checkMinimum(new World({ seed: 1, withFaults: false }), 3)).toMatchObject([
      { rule: 'minimum', what: 'only 3 sessions, 0 calls over 0 effect classes, 0 faults' },
    ]);
  });
});
