import { checkAnthropicMessages, checkOpenaiMessages } from '.';

const asks = (...ids: string[]) => ({
  role: 'assistant',
  content: null,
  tool_calls: ids.map((id) => ({ id, type: 'function', function: { name: 'probe', arguments: '{}' } })),
});
const answers = (id: string, content = '{}') => ({ role: 'tool', tool_call_id: id, content });
const user = { role: 'user', content: 'Please.' };
const system = { role: 'system', content: 'Careful.' };
const withCall = (change: object) => ({
  role: 'assistant',
  content: 'x',
  tool_calls: [{ id: 'a', type: 'function', function: { name: 'probe', arguments: '{}' }, ...change }],
});

describe('what chat completions takes', () => {
  it.each<[string, unknown[]]>([
    ['nothing at all', []],
    [
      'whole rounds in order',
      [system, user, asks('a', 'b'), answers('a'), answers('b'), asks('c'), answers('c')],
    ],
    ['users in a row, after a round as well', [user, user, asks('a'), answers('a'), user]],
    ['an assistant that only says something', [user, { role: 'assistant', content: 'Done.' }, user]],
  ])('%s', (_, messages) => {
    expect(checkOpenaiMessages(messages)).toEqual([]);
  });

  it.each<[string, unknown]>([
    ['no list', { messages: [] }],
    ['an unknown role', [{ role: 'developer', content: 'x' }]],
    ['a system message later on', [user, system]],
    ['a system message without text', [{ role: 'system', content: null }]],
    ['a user message without text', [{ role: 'user', content: null }]],
    ['an assistant that says and asks nothing', [user, { role: 'assistant', content: '' }]],
    ['an assistant without content', [user, { role: 'assistant', content: null }]],
    ['content that is no text', [user, { ...asks('a'), content: 5 }, answers('a')]],
    ['a call without an answer', [user, asks('a', 'b'), answers('a')]],
    ['a call answered later', [user, asks('a'), user, answers('a')]],
    ['answers out of order', [user, asks('a', 'b'), answers('b'), answers('a')]],
    ['an answer too many', [user, asks('a'), answers('a'), answers('a')]],
    ['an answer to another call', [user, asks('a'), answers('b')]],
    ['an answer to nothing', [user, answers('a')]],
    ['an empty answer', [user, asks('a'), answers('a', '')]],
    ['an id twice', [user, asks('a'), answers('a'), asks('a'), answers('a')]],
    ['an id of 41 characters', [user, asks('x'.repeat(41)), answers('x'.repeat(41))]],
    ['an empty id', [user, asks(''), answers('')]],
    ['a name with a space', [user, withCall({ function: { name: 'a b', arguments: '{}' } }), answers('a')]],
    [
      'a name of 65 characters',
      [user, withCall({ function: { name: 'x'.repeat(65), arguments: '{}' } }), answers('a')],
    ],
    [
      'arguments that do not parse',
      [user, withCall({ function: { name: 'a', arguments: '{' } }), answers('a')],
    ],
    [
      'arguments that are no object',
      [user, withCall({ function: { name: 'a', arguments: '[]' } }), answers('a')],
    ],
    [
      'arguments that are no text',
      [user, withCall({ function: { name: 'a', arguments: {} } }), answers('a')],
    ],
    ['half a surrogate pair in a text', [{ role: 'user', content: 'x\ud800' }]],
    ['half a surrogate pair in an answer', [user, asks('a'), answers('a', '\udc00')]],
  ])('is not %s', (_, messages) => {
    expect(checkOpenaiMessages(messages)).not.toEqual([]);
  });
});

const says = (role: string, ...content: object[]) => ({ role, content });
const text = (words: string) => ({ type: 'text', text: words });
const use = (id: string, change: object = {}) => ({
  type: 'tool_use',
  id,
  name: 'probe',
  input: {},
  ...change,
});
const result = (id: string, content = '{}') => ({ type: 'tool_result', tool_use_id: id, content });
const asked = says('user', text('Please.'));

describe('what the messages API takes', () => {
  it.each<[string, unknown[]]>([
    ['nothing at all', []],
    [
      'whole rounds in order',
      [
        asked,
        says('assistant', text('x'), use('a'), use('b')),
        says('user', result('a'), result('b'), text('Go on.')),
      ],
    ],
    ['a text as an answer', [asked, says('assistant', text('Done.')), asked]],
  ])('%s', (_, messages) => {
    expect(checkAnthropicMessages(messages)).toEqual([]);
  });

  it.each<[string, unknown]>([
    ['no list', {}],
    ['an assistant first', [says('assistant', text('x'))]],
    ['one role twice', [asked, asked]],
    ['a message without content', [says('user')]],
    ['content that is no list', [{ role: 'user', content: 5 }]],
    ['an empty text', [says('user', text(' \n'))]],
    ['an unknown block', [says('user', { type: 'image' })]],
    ['a call without an answer', [asked, says('assistant', use('a'), use('b')), says('user', result('a'))]],
    ['a call at the end', [asked, says('assistant', use('a'))]],
    ['a text before a result', [asked, says('assistant', use('a')), says('user', text('x'), result('a'))]],
    [
      'results out of order',
      [asked, says('assistant', use('a'), use('b')), says('user', result('b'), result('a'))],
    ],
    ['a result too many', [asked, says('assistant', use('a')), says('user', result('a'), result('a'))]],
    ['a result of nothing', [says('user', result('a'))]],
    ['a result by the assistant', [asked, says('assistant', result('a'))]],
    ['an empty result', [asked, says('assistant', use('a')), says('user', result('a', ''))]],
    ['a call by the user', [says('user', use('a'))]],
    [
      'an id twice',
      [
        asked,
        says('assistant', use('a')),
        says('user', result('a')),
        says('assistant', use('a')),
        says('user', result('a')),
      ],
    ],
    ['an id with a dot', [asked, says('assistant', use('a.b')), says('user', result('a.b'))]],
    ['a name with a space', [asked, says('assistant', use('a', { name: 'a b' })), says('user', result('a'))]],
    [
      'an input that is a list',
      [asked, says('assistant', use('a', { input: [] })), says('user', result('a'))],
    ],
    [
      'an input that is nothing',
      [asked, says('assistant', use('a', { input: null })), says('user', result('a'))],
    ],
    [
      'half a surrogate pair in a key',
      [asked, says('assistant', use('a', { input: { '\ud800': 1 } })), says('user', result('a'))],
    ],
  ])('is not %s', (_, messages) => {
    expect(checkAnthropicMessages(messages)).not.toEqual([]);
  });
});
