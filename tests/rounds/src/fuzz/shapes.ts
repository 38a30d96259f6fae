/** Bodies as endpoints of chat completions send them, one per habit; names are those of the tools here. */
type Shape = { readonly [key: string]: unknown };

const body = (finishReason: unknown, message: Shape, rest: Shape = {}): Shape => ({
  id: 'chatcmpl-9x1',
  object: 'chat.completion',
  created: 1_767_225_600,
  model: 'some-model-2026',
  choices: [
    { index: 0, finish_reason: finishReason, logprobs: null, message: { role: 'assistant', ...message } },
  ],
  usage: { prompt_tokens: 812, completion_tokens: 37, total_tokens: 849 },
  ...rest,
});
const call = (id: unknown, name: string, args: unknown, rest: Shape = {}): Shape => ({
  id,
  type: 'function',
  function: { name, arguments: args },
  ...rest,
});
const batch = (entries: readonly Shape[]): string => JSON.stringify({ tool_uses: entries }, null, 1);

export const shapes: readonly [Shape, ...Shape[]] = [
  body('tool_calls', {
    content: null,
    tool_calls: [call('call_Qx8', 'read_file', '{"path":"a.txt"}')],
    refusal: null,
  }),
  body('tool_calls', {
    content: null,
    tool_calls: [
      call('call_1', 'read_file', '{"path": "a.txt"}'),
      call('call_2', 'probe_write', '{"k":"1"}'),
      call('call_3', 'probe_alone', '{}'),
    ],
    annotations: [],
  }),
  // Cut at the output limit, and the same under a reason that does not say so.
  body('length', {
    content: 'I will',
    tool_calls: [call('c1', 'probe_write', '{"k":"1"}'), call('c2', 'probe_write', '{"k":"lo')],
  }),
  body('tool_calls', {
    content: '',
    tool_calls: [call('c1', 'probe_write', '{"path":"a.txt","content":"abc')],
  }),
  // The older spelling.
  body('function_call', {
    content: null,
    function_call: { name: 'read_file', arguments: '{\n  "path": "a.txt"\n}' },
  }),
  // Ids that restart, repeat, are empty or missing.
  body('tool_calls', {
    content: '',
    tool_calls: [call('call_0', 'probe_write', '{"k":"1"}'), call('call_1', 'probe_write', '{"k":"1"}')],
  }),
  body('tool_calls', {
    content: '',
    tool_calls: [call('r1', 'probe_write', '{"k":"A"}'), call('r1', 'probe_write', '{"k":"A"}')],
  }),
  body('stop', { content: null, tool_calls: [call('', 'get_by_id', '{}'), call(null, 'get-by-id', '')] }),
  body('tool_calls', {
    content: null,
    tool_calls: [call('functions.read_file:0', 'functions.read_file', '{"path":"ü😀"}', { index: 0 })],
  }),
  body('STOP', {
    content: null,
    tool_calls: [
      call('', 'default_api.probe_write', '{"k":"x"}', {
        extra_content: { google: { thought_signature: 'CiQ' } },
      }),
    ],
  }),
  // Thinking beside the calls, parts as content, native reasons.
  body(
    'tool_calls',
    { content: '', reasoning_content: 'Hm.', tool_calls: [call('chatcmpl-tool-5f', 'delegate_task', '{}')] },
    { choices_extra: [] },
  ),
  body(
    'tool_calls',
    {
      content: null,
      reasoning: null,
      tool_calls: [
        call('toolu_01', 'delegate_task', '{}'),
        call('toolu_02', 'delegate_task', '{}'),
        call('toolu_03', 'delegate_task', '{}'),
        call('toolu_04', 'delegate_task', '{}'),
      ],
    },
    { provider: 'x', native_finish_reason: 'tool_use' },
  ),
  body(
    'content_filter',
    { content: null, tool_calls: [call('c1', 'read_file', '{"path":"x"}')] },
    { prompt_filter_results: [] },
  ),
  body('MAX_TOKENS', {
    content: [{ type: 'text', text: 'I look.' }],
    tool_calls: [call('c1', 'read_file', '{"path":"x"}')],
  }),
  // Arguments that are no text, no object, glued, doubly encoded.
  body('tool_calls', {
    content: null,
    tool_calls: [
      call('a', 'read_file', { path: 'a.txt' }),
      call('b', 'read_file', null),
      call('c', 'read_file', undefined),
    ],
  }),
  body('tool_calls', {
    content: null,
    tool_calls: [
      call('a', 'probe_write', '{"a":1}{"a":1}'),
      call('b', 'probe_write', '"{\\"k\\":\\"1\\"}"'),
      call('c', 'probe_write', '[]'),
      call('d', 'probe_write', 'null'),
    ],
  }),
  body('tool_calls', {
    content: null,
    tool_calls: [
      call('a', 'probe_write', '{"k":"1","k":"2"}'),
      call('b', 'read_file', '{"path":"x","n":12345678901234567890}'),
      call('c', 'read_file', '{"path":"x","__proto__":{"a":1}}'),
      call('d', 'read_file', '{"path":"\\ud83d"}'),
    ],
  }),
  // Names.
  body('tool_calls', {
    content: null,
    tool_calls: [
      call('a', 'Probe_Write', '{"k":"1"}'),
      call('b', 'no_such_tool', '{}'),
      call('c', 'Get_By_Id', '{}'),
      call('d', 'constructor', '{}'),
      call('e', '', '{}'),
    ],
  }),
  // A batch in one call.
  body('tool_calls', {
    content: null,
    tool_calls: [
      call(
        'w',
        'multi_tool_use.parallel',
        batch([
          { recipient_name: 'functions.read_file', parameters: { path: 'x' } },
          { recipient_name: 'functions.probe_write', parameters: { k: '1' } },
        ]),
      ),
    ],
  }),
  body('tool_calls', {
    content: null,
    tool_calls: [{ id: 'ct_1', type: 'custom', custom: { name: 'shell', input: 'ls -la' } }],
  }),
  body('stop', { content: 'Done.', tool_calls: [] }),
  body('stop', { content: '', tool_calls: null }, { usage: null }),
  { error: { message: 'upstream', code: 502 }, user_id: 'u' },
];
