import { argumentsCodes, refusalCodes, type CompiledPolicy } from '@writ/protocol';
import { readReply } from '@writ/models';
import { schemaValidation } from '@writ/runtime';
import { checkRound } from '../check-round';
import { countingEntropy } from '../edge';
import { pool, tools } from '../tools';
import { RoundWorld } from '../world';
import { mutated } from './mutate';
import { Random } from './random';
import { recordReply } from './record-reply';
import { shapes } from './shapes';

/** Seeds from 1 on, in portions with a time limit each; a failure names the seed that failed. */
const portions = 10;
const portion = 10_000;
const replies = portions * portion;
/** Replies that are staged, run and settled as well, with seeds of their own. */
const wholeWay = 150;
/** How often contracts and the fold of what was stored are looked at: they cost more than all the rest. */
const thoroughEvery = 5;

const policy: CompiledPolicy = {
  rules: [
    { match: { tool: (name) => name === 'probe_alone' }, decide: 'refuse' },
    { match: { args: [{ key: 'k', pattern: /[Ax]/ }] }, decide: 'ask' },
    { match: {}, decide: 'allow' },
  ],
  onDoubt: 'tell_model',
};
const context = {
  visible: tools.map((tool) => ({ ...tool, pool })),
  policy,
  entropy: countingEntropy(),
  validation: schemaValidation(),
};

const bodyOf = (seed: number): unknown => {
  const random = new Random(seed);
  return JSON.parse(JSON.stringify(mutated(random.of(shapes), random) ?? null));
};

/** Judges one reply and counts what came of it; throws where anything is wrong. */
function judge(seed: number, count: (what: string) => void): void {
  const body = bodyOf(seed);
  const reply = readReply(body, 'small');
  if (reply === undefined) return count('no reply');
  const { round, problems } = recordReply(reply, { ...context, thorough: seed % thoroughEvery === 0 });
  if (problems.length > 0) throw new Error(`seed ${seed}: ${problems.join('; ')}\n${JSON.stringify(body)}`);
  for (const { staged, refusal } of round.calls) {
    count(refusal?.code ?? staged.verdict);
    if (refusal?.code === 'invalid_arguments') count(/^\w+(?=: )/.exec(staged.reason ?? '')?.[0] ?? 'schema');
  }
  count('reply');
}

describe(`${replies} replies that begin as real ones`, () => {
  const seen = new Map<string, number>();
  const count = (what: string): void => void seen.set(what, (seen.get(what) ?? 0) + 1);

  it.each(Array.from({ length: portions }, (_, index) => index * portion + 1))(
    'leave no call unanswered and no transcript that a provider refuses, and nothing throws: from %d on',
    (first) => {
      for (let seed = first; seed < first + portion; seed += 1) judge(seed, count);
    },
    120_000,
  );

  it('reach every refusal that a single odd reply can reach', () => {
    const beyond = ['too_large', 'batch_cap', 'calls_budget'];
    const wanted = ['allowed', 'ask', 'schema', ...refusalCodes, ...argumentsCodes].filter(
      (code) => !beyond.includes(code),
    );
    expect(wanted.filter((what) => (seen.get(what) ?? 0) < 10)).toEqual([]);
    expect(seen.get('reply')).toBeGreaterThan(replies / 2);
  });

  it('are rounds like any other where some of them go the whole way', async () => {
    for (let seed = replies + 1; seed <= replies + wholeWay; seed += 1) {
      const reply = readReply(bodyOf(seed), 'small');
      if (reply === undefined || reply.calls.length === 0) continue;
      const world = await RoundWorld.start({ policy });
      try {
        const sessionId = await world.session();
        const { status } = await world.turn(sessionId, reply);
        const problems = checkRound(world, sessionId, [reply]);
        if (status !== 'completed' || problems.length > 0)
          throw new Error(`seed ${seed}: ${status} ${problems.join('; ')}\n${JSON.stringify(reply)}`);
      } finally {
        await world.close();
      }
    }
  }, 120_000);
});
