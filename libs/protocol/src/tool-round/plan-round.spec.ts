import { digest } from '../testing/facts';
import { allowAll, batch, proposed, visible } from '../testing/tools';
import { planRound, refusalCodes, type ProposedCallInput, type RoundInput } from '.';

const reader = visible('read_file', { concurrency: 'parallel', definitionDigest: digest('1') });
const writer = visible('write_file', {
  effectClass: 'idempotent',
  concurrency: { writes: ['/path'] },
  timeoutMs: 5_000,
  pool: 'blue',
});
const child = visible('delegate', { delegate: true, concurrency: 'parallel' });

const withPath = (path: string): Partial<ProposedCallInput> => ({
  arguments: { ok: true, args: { path }, digest: digest(path.charCodeAt(0).toString(16)) },
});
const unparsed: Partial<ProposedCallInput> = {
  arguments: { ok: false, code: 'not_json', message: 'ValueExpected at offset 3', digest: digest('9') },
};
const codesOf = (input: RoundInput) => planRound(input).calls.map((call) => call.refusal?.code ?? 'runs');
const textOf = (input: RoundInput, index: number) => {
  const part = planRound(input).calls[index]?.refusal?.content[0];
  return part?.type === 'text' ? part.text : '';
};

describe('a planned round', () => {
  it('stages a call with everything that its tool and the policy say', () => {
    const [only] = planRound(
      batch([proposed('a', writer, { providerCallId: 'r1', ...withPath('x') })]),
    ).calls;
    expect(only).toEqual({
      staged: {
        callId: 'a',
        sessionId: 's1',
        turnId: 't1',
        step: 1,
        index: 0,
        providerCallId: 'r1',
        nameSent: 'write_file',
        tool: 'write_file',
        definitionDigest: writer.definitionDigest,
        pool: 'blue',
        effectClass: 'idempotent',
        timeoutMs: 5_000,
        rawArguments: '{}',
        argsDigest: digest('78'),
        idempotencyKey: 'a',
        segment: 0,
        verdict: 'allowed',
        rule: 'policy[0]',
        onDoubt: 'tell_model',
      },
    });
  });

  it('records both names where the sent one was folded', () => {
    const resolution = { status: 'resolved', how: 'folded', tool: reader } as const;
    const input = batch([proposed('a', reader, { nameSent: 'Read-File', resolution })]);
    expect(planRound(input).calls[0]?.staged).toMatchObject({ nameSent: 'Read-File', tool: 'read_file' });
  });

  it('records the wrapper that a call came in, and its place there', () => {
    const wrapper = { nameSent: 'multi_tool_use.parallel', place: 1, of: 2 };
    const input = batch([proposed('a', reader, { wrapper })]);
    expect(planRound(input).calls[0]?.staged).toMatchObject({ wrapper, tool: 'read_file' });
  });

  it('asks where the policy asks, with the reason and the time a person has', () => {
    const rules = [{ match: {}, decide: 'ask', reason: 'writes', deadlineMs: 9 }] as const;
    const policy = { rules, onDoubt: 'hold_for_person' } as const;
    expect(planRound(batch([proposed('a', writer)], { policy })).calls[0]?.staged).toMatchObject({
      verdict: 'ask',
      reason: 'writes',
      approvalDeadlineMs: 9,
      onDoubt: 'hold_for_person',
      segment: 0,
    });
  });

  it('answers a refused call by structure, in words, and keeps what is known about its tool', () => {
    const plan = planRound(batch([proposed('a', writer, unparsed)]));
    expect(plan).toMatchObject({
      segments: 0,
      calls: [
        {
          staged: { verdict: 'refused', rule: 'arguments', tool: 'write_file', effectClass: 'idempotent' },
          refusal: {
            callId: 'a',
            outcome: 'refused',
            effect: 'none',
            code: 'invalid_arguments',
            content: [
              {
                type: 'text',
                text: 'Refused (invalid_arguments), nothing was run: not_json: ValueExpected at offset 3',
              },
            ],
          },
        },
      ],
    });
    expect(plan.calls[0]?.staged).not.toHaveProperty('segment');
  });

  it('is empty for a reply without calls', () => {
    expect(planRound(batch([]))).toEqual({ calls: [], segments: 0 });
  });
});

describe('why a call is refused', () => {
  const refuseAll = {
    rules: [{ match: {}, decide: 'refuse', reason: 'not today' }],
    onDoubt: 'tell_model',
  } as const;

  it('tells an unknown name which tools there are, sorted and bounded', () => {
    const visibleNames = Array.from({ length: 70 }, (_, i) => `tool_${String(99 - i)}`);
    const input = batch([proposed('a', undefined), proposed('b', reader)], { visibleNames });
    expect(codesOf(input)).toEqual(['unknown_tool', 'runs']);
    expect(textOf(input, 0)).toMatch(/available tools: tool_30, tool_31, .*tool_93 and 6 more$/);
    expect(textOf(batch([proposed('a', undefined)], { visibleNames: [] }), 0)).toMatch(
      /available tools: none$/,
    );
    expect(planRound(input).calls[0]?.staged).toMatchObject({ tool: null, rule: 'visibility' });
  });

  it.each(['', ' \n\t', '\u0000', '\u200b'])(
    'lists no tools where the name is blank, which would only invite more of the same: %j',
    (nameSent) => {
      const input = batch([proposed('a', undefined, { nameSent })]);
      expect(codesOf(input)).toEqual(['unknown_tool']);
      expect(textOf(input, 0)).toBe(
        'Refused (unknown_tool), nothing was run: the call has no name; send it again with the name of a tool',
      );
    },
  );

  it('names the candidates where a name could mean two', () => {
    const resolution = { status: 'unknown', candidates: ['get-by-id', 'get_by_id'] } as const;
    expect(textOf(batch([proposed('a', undefined, { resolution })]), 0)).toContain('get-by-id, get_by_id');
  });

  it('is a batch in one call that could not be taken apart', () => {
    const input = batch([proposed('a', undefined, { wrapperFault: 'tool_uses must be a list' })]);
    expect(codesOf(input)).toEqual(['invalid_batch']);
    expect(textOf(input, 0)).toContain('tool_uses must be a list');
    expect(planRound(input).calls[0]?.staged).toMatchObject({ tool: null, rule: 'expansion' });
  });

  it('passes on what a schema finds', () => {
    const input = batch([proposed('a', reader, { schema: { ok: false, message: '/path must be string' } })]);
    expect(codesOf(input)).toEqual(['invalid_arguments']);
    expect(textOf(input, 0)).toContain('/path must be string');
  });

  it('is told in a bounded text that is cut between characters', () => {
    const message = `${'x'.repeat(1_499)}😀 and more`;
    const input = batch([proposed('a', reader, { schema: { ok: false, message } })]);
    expect(planRound(input).calls[0]?.staged.reason).toBe(`${'x'.repeat(1_499)}…`);
    expect(textOf(input, 0).length).toBeLessThan(1_600);
  });

  it('gives the reason of the policy rule that refused', () => {
    const input = batch([proposed('a', reader)], { policy: refuseAll });
    expect(planRound(input).calls[0]?.staged).toMatchObject({ rule: 'policy[0]', reason: 'not today' });
    expect(textOf(input, 0)).toContain('not today');
    expect(codesOf(batch([proposed('a', reader)], { policy: undefined }))).toEqual(['policy_refused']);
  });

  it.each(['length', 'LENGTH', 'max_tokens', 'MAX_TOKENS', 'max-tokens', 'content_filter', 'model_length'])(
    'is the cut, for the last call of a reply that ended by %s, whatever it parses to',
    (finishReason) => {
      const calls = [proposed('a', reader), proposed('b', reader), proposed('c', reader)];
      expect(codesOf(batch(calls, { finishReason }))).toEqual(['runs', 'runs', 'truncated']);
      expect(codesOf(batch([proposed('a', undefined)], { finishReason }))).toEqual(['truncated']);
    },
  );

  it('is not the cut with any other finish reason, where only what does not parse is refused', () => {
    const calls = [proposed('a', reader), proposed('b', reader, unparsed)];
    for (const finishReason of ['tool_calls', 'stop', 'unknown', 'constructor', ''])
      expect(codesOf(batch(calls, { finishReason }))).toEqual(['runs', 'invalid_arguments']);
  });

  it.each([
    ['fully identical entries', 'r1', writer, 'x', 'duplicate_call'],
    ['other arguments under one provider id', 'r1', writer, 'y', 'runs'],
    ['another tool under one provider id', 'r1', reader, 'x', 'runs'],
    ['equal calls under two provider ids', 'r2', writer, 'x', 'runs'],
  ])('is a duplicate or not: %s', (...[, providerCallId, tool, path, wanted]) => {
    const first = proposed('a', writer, { providerCallId: 'r1', ...withPath('x') });
    const second = proposed('b', tool, { providerCallId, ...withPath(path) });
    expect(codesOf(batch([first, second]))).toEqual(['runs', wanted]);
  });

  it('is a duplicate only of a call that runs', () => {
    const same = { providerCallId: 'r1', schema: { ok: false, message: 'x' } } as const;
    expect(codesOf(batch([proposed('a', reader, same), proposed('b', reader, same)]))).toEqual([
      'invalid_arguments',
      'invalid_arguments',
    ]);
  });

  it('is a cap for what goes beyond it, in the order of the batch, refused calls not counted', () => {
    const five = ['a', 'b', 'c', 'd', 'e'].map((id) => proposed(id, child));
    const budgets = batch([]).budgets;
    expect(codesOf(batch(five))).toEqual(['runs', 'runs', 'runs', 'delegate_cap', 'delegate_cap']);
    expect(codesOf(batch(five, { budgets: { ...budgets, delegates: 0 } }))).toEqual(
      Array(5).fill('delegate_cap'),
    );
    const calls = [proposed('a', undefined), ...['b', 'c', 'd'].map((id) => proposed(id, reader))];
    expect(codesOf(batch(calls, { budgets: { ...budgets, callsPerBatch: 2 } }))).toEqual([
      'unknown_tool',
      'runs',
      'runs',
      'batch_cap',
    ]);
    expect(codesOf(batch(calls, { budgets: { ...budgets, callsPerTurn: 10 }, callsUsed: 9 }))).toEqual([
      'unknown_tool',
      'runs',
      'calls_budget',
      'calls_budget',
    ]);
  });

  it('is the first reason that applies, in the order of the codes', () => {
    const everything: Partial<ProposedCallInput> = {
      ...unparsed,
      schema: { ok: false, message: 'x' },
      providerCallId: 'r1',
    };
    const budgets = { ...batch([]).budgets, callsPerBatch: 1, callsPerTurn: 1, delegates: 0 };
    const given = { policy: refuseAll, budgets, callsUsed: 1 };
    const lastOf = (call: ProposedCallInput, more: Partial<RoundInput> = {}) => {
      const first = proposed('z', child, { providerCallId: 'r1' });
      return codesOf(batch([first, call], { ...given, ...more })).at(-1);
    };
    const sound = proposed('a', child, { providerCallId: 'r1' });
    const roomy = { budgets: { ...budgets, callsPerBatch: 9, callsPerTurn: 9 }, policy: allowAll };
    const found = [
      lastOf(proposed('a', undefined, { ...everything, wrapperFault: 'x' }), { finishReason: 'length' }),
      lastOf(proposed('a', undefined, { ...everything, wrapperFault: 'x' })),
      lastOf(proposed('a', undefined, everything)),
      lastOf(proposed('a', child, everything)),
      lastOf(sound),
      lastOf(sound, { ...roomy, budgets: { ...roomy.budgets, delegates: 1 } }),
      lastOf(
        { ...sound, providerCallId: 'r2' },
        { policy: allowAll, callsUsed: 0, budgets: { ...budgets, delegates: 0 } },
      ),
      lastOf(
        { ...sound, providerCallId: 'r2' },
        { policy: allowAll, callsUsed: 0, budgets: { ...budgets, delegates: 9 } },
      ),
      lastOf(
        { ...sound, providerCallId: 'r2' },
        { ...roomy, callsUsed: 9, budgets: { ...roomy.budgets, delegates: 9 } },
      ),
    ];
    expect(found).toEqual([...refusalCodes]);
  });
});
