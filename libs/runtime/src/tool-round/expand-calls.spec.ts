import type { ProposedCall } from '../ports';
import { visibleTool } from '../testing/tools';
import { expandCalls } from './expand-calls';

const visible = [visibleTool('read_file'), visibleTool('probe_write')];
const name = 'multi_tool_use.parallel';
const wrapping = (text: string, given: Partial<ProposedCall> = {}): ProposedCall => ({
  id: 'w1',
  name,
  arguments: text,
  ...given,
});
const expand = (calls: readonly ProposedCall[], finishReason = 'tool_calls', tools = visible) =>
  expandCalls({ calls, finishReason }, tools);
const faultOf = (text: string) => expand([wrapping(text)])[0]?.wrapperFault;

const two =
  '{"tool_uses":[ {"recipient_name":"functions.read_file","parameters": { "path" : "x", "n":1.0 } },\n' +
  '{"parameters":{"k":"\\u0041"},"recipient_name":"probe_write"}]}';

describe('a call that holds a batch', () => {
  it('becomes one call per entry in its place, with each text to the byte, and says where it came from', () => {
    const before = { id: 'c0', name: 'read_file', arguments: '{}' };
    const after = { id: 'c9', name: 'no_such_tool', arguments: '{' };
    expect(expand([before, wrapping(two), after])).toEqual([
      before,
      {
        id: 'w1',
        name: 'functions.read_file',
        arguments: '{ "path" : "x", "n":1.0 }',
        wrapper: { nameSent: name, place: 0, of: 2 },
      },
      {
        id: 'w1',
        name: 'probe_write',
        arguments: '{"k":"\\u0041"}',
        wrapper: { nameSent: name, place: 1, of: 2 },
      },
      after,
    ]);
  });

  it('needs no id', () => {
    const { id: _, ...without } = wrapping(two);
    expect(expand([without]).every((call) => !('id' in call))).toBe(true);
  });

  it('hands on what an entry has as parameters, whatever it is: the call is judged by itself', () => {
    const text =
      '{"tool_uses":[{"recipient_name":"a","parameters":"{}"},{"recipient_name":"","parameters":null}]}';
    expect(expand([wrapping(text)]).map((call) => call.arguments)).toEqual(['"{}"', 'null']);
  });

  it('is a tool like any other where a visible tool has its name', () => {
    const tools = [...visible, visibleTool('multi_tool_use_parallel')];
    const call = wrapping(two, { name: 'multi_tool_use_parallel' });
    expect(expand([call], 'tool_calls', tools)).toEqual([call]);
    expect(expand([call])).toHaveLength(2);
  });

  it('stays whole where the reply was cut in it, even if it happens to parse', () => {
    expect(expand([wrapping(two)], 'length')).toEqual([wrapping(two)]);
    expect(expand([wrapping(two), { name: 'read_file', arguments: '{' }], 'length')).toHaveLength(3);
  });

  it.each([
    ['a blank text', ''],
    ['no JSON', '{"tool_uses":[{"recipient_name":"a","parameters":{}}'],
    ['no object', '[]'],
    ['doubled keys within', '{"tool_uses":[{"recipient_name":"a","parameters":{"k":1,"k":2}}]}'],
    ['another object', '{"calls":[]}'],
    ['nothing in it', '{"tool_uses":[]}'],
    ['no list in it', '{"tool_uses":{"recipient_name":"a","parameters":{}}}'],
    ['more than the list', '{"tool_uses":[{"recipient_name":"a","parameters":{}}],"note":"x"}'],
    ['an entry that is none', '{"tool_uses":[{"recipient_name":"a","parameters":{}},7]}'],
    ['an entry without a name', '{"tool_uses":[{"parameters":{}}]}'],
    ['an entry whose name is no text', '{"tool_uses":[{"recipient_name":7,"parameters":{}}]}'],
    ['an entry without parameters', '{"tool_uses":[{"recipient_name":"a"}]}'],
    ['an entry with more', '{"tool_uses":[{"recipient_name":"a","parameters":{},"id":"x"}]}'],
    ['a batch in the batch', `{"tool_uses":[{"recipient_name":"${name}","parameters":{}}]}`],
  ])('stays whole and says what is wrong with it: %s', (_what, text) => {
    const expanded = expand([wrapping(text)]);
    expect(expanded).toMatchObject([{ name, arguments: text, wrapperFault: expect.any(String) }]);
    expect(faultOf(text)).toContain('send the calls themselves');
  });

  it('stays whole where it holds more than a bounded number', () => {
    const entries = (count: number) =>
      JSON.stringify({ tool_uses: Array(count).fill({ recipient_name: 'a', parameters: {} }) });
    expect(expand([wrapping(entries(64))])).toHaveLength(64);
    expect(faultOf(entries(65))).toContain('at most 64');
  });

  it('repeats no value of the arguments where it says what is wrong', () => {
    const secret = 'test-secret-123';
    for (const text of [
      `{"tool_uses":[{"recipient_name":"a","parameters":{"k":"${secret}"}},"${secret}"]}`,
      `{"tool_uses":[{"recipient_name":"a","parameters":{"k":"${secret}","k":1}}]}`,
      `"${secret}"`,
    ])
      expect(faultOf(text)).not.toContain(secret);
  });
});
