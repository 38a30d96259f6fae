import { readReply } from './reply';

const replyTo = (message: object, finishReason = 'tool_calls') =>
  readReply({ choices: [{ finish_reason: finishReason, message }] }, 'small');
const callsOf = (...entries: readonly unknown[]) => replyTo({ tool_calls: entries })?.calls;

describe('the text of a reply', () => {
  it.each<[unknown, string]>([
    ['yes', 'yes'],
    [null, ''],
    [[], ''],
    [
      [
        { type: 'text', text: 'I ' },
        { type: 'thinking', thinking: [] },
        { type: 'text', text: 'look.' },
      ],
      'I look.',
    ],
    [[{ type: 'text', text: 7 }, null, 'x', { text: 'no type' }], ''],
  ])('is one text, also where it comes in parts: %j', (content, text) => {
    expect(replyTo({ content })?.text).toBe(text);
  });

  it('in parts spoils no call beside it', () => {
    const tool_calls = [{ function: { name: 'x', arguments: '{}' } }];
    expect(replyTo({ content: [{ type: 'text', text: 'a' }], tool_calls })?.calls).toHaveLength(1);
  });
});

describe('the tokens of a reply', () => {
  it('are unknown where they are no numbers that the record takes', () => {
    const message = { content: 'yes' };
    const usageOf = (prompt_tokens: unknown) =>
      readReply({ choices: [{ message }], usage: { prompt_tokens, completion_tokens: 1 } }, 'small')?.usage;
    expect(usageOf(3)).toEqual({ promptTokens: 3, completionTokens: 1 });
    for (const odd of [1.5, -1, 1e300, '3', null]) expect(usageOf(odd)).toBeUndefined();
  });
});

describe('calls of a reply', () => {
  it('are all there, in order, however odd: what cannot run is refused where every call is judged', () => {
    const whole = { id: 'c1', type: 'function', function: { name: 'read_file', arguments: '{"path":"x"}' } };
    expect(
      callsOf(
        whole,
        { id: 'c2', function: { arguments: '{}' } },
        { id: 'c3', function: { name: null, arguments: null } },
        { id: 'c4', function: { name: 7, arguments: '{}' } },
        { id: 'c5', function: null },
        { id: 'c6' },
        null,
        'read_file',
        [],
      ),
    ).toEqual([
      { id: 'c1', name: 'read_file', arguments: '{"path":"x"}' },
      { id: 'c2', name: '', arguments: '{}' },
      { id: 'c3', name: '', arguments: '' },
      { id: 'c4', name: '', arguments: '{}' },
      { id: 'c5', name: '', arguments: '' },
      { id: 'c6', name: '', arguments: '' },
      { name: '', arguments: '' },
      { name: '', arguments: '' },
      { name: '', arguments: '' },
    ]);
  });

  it.each<[unknown, object]>([
    ['call_0', { id: 'call_0' }],
    ['', { id: '' }],
    [null, {}],
    [undefined, {}],
    [7, { id: '7' }],
    [{ a: 1 }, {}],
  ])('have the id that was sent where it is a word: %j', (id, kept) => {
    const [call] = callsOf({ id, function: { name: 'x', arguments: '{}' } }) ?? [];
    expect(call).toEqual({ ...kept, name: 'x', arguments: '{}' });
  });

  it.each<[unknown, object]>([
    [{ path: 'x' }, { arguments: '{"path":"x"}', sentAs: 'object' }],
    [{}, { arguments: '{}', sentAs: 'object' }],
    [['x'], { arguments: '["x"]', sentAs: 'list' }],
    [5, { arguments: '5', sentAs: 'number' }],
    [false, { arguments: 'false', sentAs: 'boolean' }],
    [null, { arguments: '' }],
    [undefined, { arguments: '' }],
  ])('say where their arguments came as another value than a text: %j', (sent, kept) => {
    expect(callsOf({ function: { name: 'x', arguments: sent } })).toEqual([{ name: 'x', ...kept }]);
  });

  it('of the kind that carries no JSON have their input as it was sent', () => {
    const custom = { id: 'c1', type: 'custom', custom: { name: 'shell', input: 'rm -rf /' } };
    expect(callsOf(custom)).toEqual([{ id: 'c1', name: 'shell', arguments: 'rm -rf /' }]);
  });

  it('said in the old way are calls as well', () => {
    const function_call = { name: 'read_file', arguments: '{"path":"x"}' };
    const wanted = [{ name: 'read_file', arguments: '{"path":"x"}' }];
    expect(replyTo({ content: null, function_call })?.calls).toEqual(wanted);
    expect(replyTo({ content: null, tool_calls: [], function_call }, 'function_call')?.calls).toEqual(wanted);
    expect(replyTo({ content: 'no', tool_calls: null, function_call: null })?.calls).toEqual([]);
  });

  it('are no reply at all where it would take a guess to say which they are', () => {
    const entry = { function: { name: 'x', arguments: '{}' } };
    expect(replyTo({ tool_calls: entry })).toBeUndefined();
    expect(replyTo({ tool_calls: 'x' })).toBeUndefined();
    expect(replyTo({ tool_calls: [entry], function_call: entry.function })).toBeUndefined();
  });
});
