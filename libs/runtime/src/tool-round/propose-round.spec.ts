import { eventSchemas, type PublishedTool } from '@writ/contracts';
import fc from 'fast-check';
import { argumentsDigest, rawDigest } from '../arguments';
import { digestOf } from '../digest';
import type { ProposedCall } from '../ports';
import { byDash, byScore, outcomes, probe, probing, propose, readFile, validation } from '../testing/rounds';
import { visibleTool } from '../testing/tools';
import { toolTableBody, toolTableDigest, usableTable } from '.';

describe('a reply that becomes a round', () => {
  it('drafts one staged event per call in order, then one result per refused call', () => {
    const { events } = propose([
      probing('{'),
      probing('{"k":"1"}'),
      { name: 'no_such_tool', arguments: '{}' },
    ]);
    expect(events.map(({ type, data }) => `${type} ${data.callId.slice(-1)}`)).toEqual([
      'ToolCallStaged 1',
      'ToolCallStaged 2',
      'ToolCallStaged 3',
      'ToolResultCommitted 1',
      'ToolResultCommitted 3',
    ]);
    for (const { type, data } of events)
      expect(eventSchemas[type].safeParse(data)).toMatchObject({ success: true });
  });

  it('mints an id of ours for every call and uses it as the idempotency key', () => {
    const [first, second] = propose([probing('{}', 'call_0'), probing('{"k":"2"}', 'call_0')]).calls;
    expect(first?.staged).toMatchObject({
      callId: 'call_00000000000040008000000000000001',
      providerCallId: 'call_0',
    });
    expect(first?.staged.idempotencyKey).toBe(first?.staged.callId);
    expect(second?.staged.callId).not.toBe(first?.staged.callId);
  });

  it('digests a result over what the contract says', () => {
    const [result] = propose([probing('[')]).events.flatMap((event) =>
      event.type === 'ToolResultCommitted' ? [event.data] : [],
    );
    const { outcome, effect, code, content } = result ?? {};
    expect(result?.digest).toBe(digestOf({ outcome, effect, code, content }));
  });

  it('digests arguments as parsed, and the bytes where they did not parse or the tool is unknown', () => {
    const digests = propose([
      probing('{ "k": "1" }'),
      probing('{"k":1,"k":2}'),
      { name: 'no_such_tool', arguments: '{ "k": "1" }' },
      probing('{"k":7}'),
    ]).calls.map(({ staged }) => staged.argsDigest);
    const { name, definitionDigest } = probe;
    expect(digests).toEqual([
      argumentsDigest({ tool: name, definitionDigest, args: { k: '1' } }),
      rawDigest('{"k":1,"k":2}'),
      rawDigest('{ "k": "1" }'),
      argumentsDigest({ tool: name, definitionDigest, args: { k: 7 } }),
    ]);
  });
});

describe('the cases that others lost', () => {
  it('F08: two different calls under one id both run, the second of two identical entries does not', () => {
    expect(outcomes([probing('{"k":"A"}', 'r1'), probing('{"k":"B"}', 'r1')])).toEqual([
      'probe_write',
      'probe_write',
    ]);
    expect(
      outcomes([probing('{"k":"A"}', 'r1'), { id: 'r1', name: 'read_file', arguments: '{"path":"A"}' }]),
    ).toEqual(['probe_write', 'read_file']);
    expect(outcomes([probing('{"k":"A"}', 'r1'), probing('{ "k":"A" }', 'r1')])).toEqual([
      'probe_write',
      'duplicate_call',
    ]);
  });

  it('F09: the cut call never runs, the whole one before it does', () => {
    const cut = probing('{"path":"a.txt","content":"abc');
    expect(outcomes([cut], {}, 'length')).toEqual(['truncated']);
    expect(outcomes([cut], {}, 'tool_calls')).toEqual(['invalid_arguments']);
    expect(outcomes([probing('{"k":"1"}', 'a'), cut], {}, 'length')).toEqual(['probe_write', 'truncated']);
    expect(outcomes([probing('{"k":"1"}', 'a'), probing('{"k":"2"}', 'b')], {}, 'length')).toEqual([
      'probe_write',
      'truncated',
    ]);
  });

  it('F10: blank counts as {} where the schema accepts it, every other odd text has one refusal, the probe runs', () => {
    const texts = ['', '   ', '[]', 'null', '42', '{"a":1}{"a":1}', '{}'];
    const calls = texts.map((text, index) => probing(text, `c${index}`));
    const refused = 'invalid_arguments';
    const runs = 'probe_write';
    expect(outcomes([...calls, probing('{"k":"1"}', 'probe')])).toEqual([
      runs,
      runs,
      refused,
      refused,
      refused,
      refused,
      runs,
      runs,
    ]);
    const staged = propose(calls).calls.map((call) => call.staged);
    expect(staged.map((call) => call.rawArguments)).toEqual(texts);
    expect(staged[0]?.argsDigest).toBe(staged[6]?.argsDigest);
  });

  it('F10: blank is refused where the schema wants more, with the digest of its bytes', () => {
    const [only] = propose([{ name: 'read_file', arguments: '' }]).calls;
    expect(only?.staged).toMatchObject({ verdict: 'refused', argsDigest: rawDigest(''), rawArguments: '' });
    expect(JSON.stringify(only?.refusal)).toContain("must have required property 'path'");
  });

  it('F12: an unknown name lists what there is, a mis-cased one is resolved, two candidates are none', () => {
    const calls = [
      { id: 'c1', name: 'read_file', arguments: '{"path":"x"}' },
      { id: 'c2', name: 'no_such_tool', arguments: '{}' },
      { id: 'c3', name: 'Probe_Write', arguments: '{"k":"1"}' },
      { id: 'c4', name: 'Get_By_Id', arguments: '{}' },
      { id: 'c5', name: 'constructor', arguments: '{}' },
    ];
    const visible = [readFile, probe, byDash, byScore];
    expect(outcomes(calls, { visible })).toEqual([
      'read_file',
      'unknown_tool',
      'probe_write',
      'unknown_tool',
      'unknown_tool',
    ]);
    const [, second, third, fourth] = propose(calls, { visible }).calls;
    expect(JSON.stringify(second?.refusal)).toContain('get-by-id, get_by_id, probe_write, read_file');
    expect(third?.staged).toMatchObject({ nameSent: 'Probe_Write', tool: 'probe_write' });
    expect(JSON.stringify(fourth?.refusal)).toContain('could mean get-by-id, get_by_id');
  });

  it('F23: arguments that could not be staged are refused, their beginning kept, and siblings run', () => {
    const raw = `{"k":"${'é'.repeat(600_000)}"}`;
    const [large] = propose([probing(raw), probing('{"k":"1"}')]).calls;
    expect(outcomes([probing(raw), probing('{"k":"1"}')])).toEqual(['invalid_arguments', 'probe_write']);
    expect(large?.staged.argsDigest).toBe(rawDigest(raw));
    expect(large?.staged.rawArguments).toBe(raw.slice(0, 1_024));
    expect(outcomes([probing(`{"k":"${'a'.repeat(400_000)}"}`)])).toEqual(['probe_write']);
  });

  it('F11: half characters reach no record', () => {
    const odd: ProposedCall = { id: 'i\ud800', name: 'n\udc00', arguments: '{"k":"\ud800"}' };
    expect(JSON.stringify(propose([odd, probing(odd.arguments)]).events)).not.toMatch(/\\ud[89a-f]/);
  });

  it('F28: no refusal repeats a value of the arguments', () => {
    const secret = 'test-secret-123';
    const texts = [
      `{"k":["${secret}"]}`,
      `{"k":"${secret}`,
      `{"k":"${secret}","k":1}`,
      `"${secret}"`,
      `{"k":"${secret}\\u0000"}`,
    ];
    for (const text of texts) {
      const [only] = propose([probing(text)]).calls;
      expect(only?.refusal).toBeDefined();
      expect(JSON.stringify([only?.refusal, only?.staged.reason])).not.toContain(secret);
    }
  });
});

describe('whatever the model sends', () => {
  it('every call is staged once, in its place, as an event that the contract takes', () => {
    const call = fc.record({
      id: fc.option(fc.string({ unit: 'binary', maxLength: 5 }), { nil: undefined }),
      name: fc.oneof(
        fc.constantFrom('read_file', 'Probe-Write', '__proto__', 'toString'),
        fc.string({ unit: 'binary', maxLength: 300 }),
      ),
      arguments: fc.oneof(
        fc.constantFrom('', '{}', '{"k":"1"}', '{"path":"x"}', '{"__proto__":1}'),
        fc.string({ unit: 'binary' }),
        fc.json(),
      ),
    });
    fc.assert(
      fc.property(
        fc.array(call, { maxLength: 8 }),
        fc.constantFrom('stop', 'length'),
        (sent, finishReason) => {
          const calls = sent.map(({ id, ...rest }) => (id === undefined ? rest : { id, ...rest }));
          const { events } = propose(calls, {}, finishReason);
          const staged = events.flatMap((event) => (event.type === 'ToolCallStaged' ? [event.data] : []));
          const results = events.flatMap((event) =>
            event.type === 'ToolResultCommitted' ? [event.data] : [],
          );
          expect(staged.map(({ index }) => index)).toEqual(calls.map((_, index) => index));
          expect(results.map(({ callId }) => callId)).toEqual(
            staged.filter(({ verdict }) => verdict === 'refused').map(({ callId }) => callId),
          );
          for (const { type, data } of events)
            expect(eventSchemas[type].safeParse(data)).toMatchObject({ success: true });
        },
      ),
    );
  });
});

describe('the tool table as it is used', () => {
  const config = { toolsets: { all: { tools: ['a', 'b', 'c'], includes: [] } }, platforms: {} };
  const rowsOf = (tools: PublishedTool[]) =>
    usableTable({
      config,
      scope: { platform: 'api', toolsets: ['all'] },
      manifests: [{ pool: 'default', tools }],
      validation,
    });

  it('hides tools whose schema does not compile or whose digest is not their own', () => {
    const broken = visibleTool('a', { inputSchema: { type: 'thing' } });
    const forged = { ...visibleTool('b'), description: 'another' };
    const body = toolTableBody(rowsOf([broken, forged, visibleTool('c')]));
    expect(body.tools).toMatchObject([
      { name: 'a', visible: false, reason: expect.stringMatching(/^its input schema cannot be used: /) },
      { name: 'b', visible: false, reason: 'its digest is not that of its definition' },
      { name: 'c', visible: true, reason: 'toolset all' },
    ]);
  });

  it('has a digest that follows what the model is shown and nothing else', () => {
    const table = toolTableDigest(rowsOf([visibleTool('a'), visibleTool('hidden')]));
    expect(toolTableDigest(rowsOf([visibleTool('a')]))).toBe(table);
    expect(toolTableDigest(rowsOf([visibleTool('a', { version: '2' })]))).not.toBe(table);
    expect(toolTableDigest(rowsOf([visibleTool('a'), visibleTool('b')]))).not.toBe(table);
  });
});
