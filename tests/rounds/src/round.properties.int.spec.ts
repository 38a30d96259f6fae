import type { ModelReply, ProposedCall } from '@writ/runtime';
import fc from 'fast-check';
import { checkRound } from './check-round';
import { toolNames } from './tools';
import { RoundWorld, type WorldOptions } from './world';

const name = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...toolNames) },
  fc.constantFrom('Probe_Write', 'READ-FILE', 'Get_By_Id', 'functions.read_file', 'github.read_file'),
  fc.constantFrom('', ' ', 'no_such_tool', 'constructor', '__proto__', 'hasOwnProperty', 'x'.repeat(400)),
  fc.string({ unit: 'binary', maxLength: 6 }),
);
const object = fc
  .record(
    {
      path: fc.constantFrom<unknown>('x', 'y', 7),
      k: fc.constantFrom<unknown>('1', '2', ['1']),
      n: fc.oneof(fc.double(), fc.maxSafeInteger(), fc.constant(2 ** 60)),
      more: fc.jsonValue({ maxDepth: 3 }),
    },
    { requiredKeys: [] },
  )
  .map((value) => JSON.stringify(value));
const text = fc.oneof(
  { weight: 6, arbitrary: object },
  fc.constantFrom('', '  ', '{}', '[]', 'null', '42', '"{}"', '{"k":"1"}{"k":"1"}', '{"k":"1","k":"2"}'),
  fc.constantFrom('{"path":"x"', '{"k":"lo', '{"__proto__":{}}', '{"k":"\\ud800"}', '{"k":"\\u0000"}'),
  fc.constantFrom('{"k":1e400}', '{"n":9007199254740993e0}', `${'{"a":'.repeat(80)}{}${'}'.repeat(80)}`),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.json({ maxDepth: 3 }),
);
const id = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('call_0', 'call_1', '') },
  fc.constantFrom('x'.repeat(3_000), 'a b/ü', 'constructor'),
  fc.string({ unit: 'binary', maxLength: 5 }),
);
const single: fc.Arbitrary<ProposedCall> = fc
  .record({ id: fc.option(id, { nil: undefined }), name, arguments: text, odd: fc.nat(20) })
  .map(({ id: sent, odd, ...call }) => ({
    ...call,
    ...(sent === undefined ? {} : { id: sent }),
    ...(odd === 0 ? { sentAs: 'object' as const } : {}),
  }));
const wrapped: fc.Arbitrary<ProposedCall> = fc
  .array(fc.tuple(name, text), { maxLength: 4 })
  .map((entries) => ({
    id: 'w',
    name: 'multi_tool_use.parallel',
    arguments: `{"tool_uses":[${entries
      .map(([inner, raw]) => `{"recipient_name":${JSON.stringify(inner)},"parameters":${raw}}`)
      .join()}]}`,
  }));
const reply: fc.Arbitrary<ModelReply> = fc.record({
  text: fc.oneof(fc.constantFrom('', 'I look.'), fc.string({ unit: 'binary', maxLength: 8 })),
  calls: fc.array(fc.oneof({ weight: 8, arbitrary: single }, wrapped), { minLength: 1, maxLength: 9 }),
  finishReason: fc.constantFrom('tool_calls', 'tool_calls', 'stop', 'length', 'content_filter', 'unknown'),
  model: fc.constant('mouth'),
});

const decide = fc.constantFrom('allow' as const, 'allow' as const, 'ask' as const, 'refuse' as const);
const policy = fc
  .record({ byRead: decide, byName: decide, rest: fc.option(decide, { nil: undefined }) })
  .map(({ byRead, byName, rest }): NonNullable<WorldOptions['policy']> => ({
    rules: [
      { match: { effect: ['read'] }, decide: byRead },
      { match: { tool: (tool) => tool.startsWith('probe') }, decide: byName },
      ...(rest === undefined ? [] : [{ match: {}, decide: rest }]),
    ],
    onDoubt: 'tell_model',
  }));
const options: fc.Arbitrary<WorldOptions> = fc
  .record({
    policy,
    budgets: fc.record({
      callsPerTurn: fc.integer({ min: 1, max: 12 }),
      callsPerBatch: fc.integer({ min: 1, max: 9 }),
      delegates: fc.nat(3),
    }),
    answers: fc.array(fc.constantFrom('grant' as const, 'deny' as const), { minLength: 1, maxLength: 4 }),
    turns: fc.array(fc.nat(4), { minLength: 1, maxLength: 5 }),
  })
  .map(({ answers, turns, ...rest }) => {
    let ran = 0;
    return {
      ...rest,
      person: (asked) => answers[asked % answers.length] ?? 'deny',
      run: ({ callId }) => ({
        result: { status: 'returned', content: [{ type: 'text', text: `ran ${callId}` }] },
        turns: turns[(ran += 1) % turns.length] ?? 0,
      }),
    };
  });

describe('whatever the batch and the configuration', () => {
  it('every call has one result in its place, nothing refused ran, and the transcript is legal and folds the same', async () => {
    await fc.assert(
      fc.asyncProperty(options, fc.array(reply, { minLength: 1, maxLength: 3 }), async (given, replies) => {
        const world = await RoundWorld.start(given);
        try {
          const sessionId = await world.session();
          expect((await world.turn(sessionId, ...replies)).status).toBe('completed');
          expect(checkRound(world, sessionId, replies)).toEqual([]);
        } finally {
          await world.close();
        }
      }),
      { numRuns: 60, interruptAfterTimeLimit: 60_000, markInterruptAsFailure: true },
    );
  }, 120_000);
});
