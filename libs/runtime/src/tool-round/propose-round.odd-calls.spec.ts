import { eventSchemas, type Json } from '@writ/contracts';
import type { CompiledPolicy } from '@writ/protocol';
import { argumentsDigest, rawDigest } from '../arguments';
import type { ProposedCall } from '../ports';
import { budgets, outcomes, probe, probing, propose } from '../testing/rounds';

describe('a batch in one call', () => {
  const entry = (name: string, parameters: Json) => ({ recipient_name: `functions.${name}`, parameters });
  const wrapped = (...entries: object[]): ProposedCall => ({
    id: 'w1',
    name: 'multi_tool_use.parallel',
    arguments: JSON.stringify({ tool_uses: entries }),
  });

  it('is as many calls, each with its own id, verdict, digest and place in the round', () => {
    const rules: CompiledPolicy['rules'] = [
      { match: { effect: ['read'] }, decide: 'allow' },
      { match: { args: [{ key: 'k', pattern: /^ask/ }] }, decide: 'ask' },
    ];
    const { calls, events } = propose(
      [
        wrapped(
          entry('probe_write', { k: 'ask' }),
          entry('probe_write', { k: 'no' }),
          entry('read_file', { path: 'x' }),
          entry('no_such_tool', {}),
          entry('read_file', { path: 7 }),
        ),
        probing('{"k":"ask too"}'),
      ],
      { policy: { rules, onDoubt: 'tell_model' } },
    );
    expect(calls.map(({ staged, refusal }) => refusal?.code ?? staged.verdict)).toEqual([
      'ask',
      'policy_refused',
      'allowed',
      'unknown_tool',
      'invalid_arguments',
      'ask',
    ]);
    expect(calls.map(({ staged }) => staged.index)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(new Set(calls.map(({ staged }) => staged.callId)).size).toBe(6);
    const { name, definitionDigest } = probe;
    expect(calls[0]?.staged).toMatchObject({
      providerCallId: 'w1',
      nameSent: 'functions.probe_write',
      tool: 'probe_write',
      wrapper: { nameSent: 'multi_tool_use.parallel', place: 0, of: 5 },
      rawArguments: '{"k":"ask"}',
      argsDigest: argumentsDigest({ tool: name, definitionDigest, args: { k: 'ask' } }),
    });
    expect(calls[5]?.staged).not.toHaveProperty('wrapper');
    for (const { type, data } of events)
      expect(eventSchemas[type].safeParse(data)).toMatchObject({ success: true });
  });

  it('counts one by one against the caps, and equal entries are duplicates', () => {
    const three = wrapped(...['1', '2', '1'].map((k) => entry('probe_write', { k })));
    expect(outcomes([three])).toEqual(['probe_write', 'probe_write', 'duplicate_call']);
    const one = { budgets: { ...budgets, callsPerBatch: 1 } };
    expect(outcomes([three], one)).toEqual(['probe_write', 'batch_cap', 'duplicate_call']);
  });

  it('is one refused call where it cannot be taken apart or the reply was cut in it', () => {
    expect(outcomes([wrapped(), probing('{}')])).toEqual(['invalid_batch', 'probe_write']);
    const whole = wrapped(entry('probe_write', { k: '1' }));
    expect(outcomes([whole], {}, 'length')).toEqual(['truncated']);
    const [only] = propose([wrapped()]).calls;
    const [refusal] = only?.refusal?.content ?? [];
    expect(refusal).toEqual({
      type: 'text',
      text: 'Refused (invalid_batch), nothing was run: tool_uses is empty; send the calls themselves, side by side',
    });
  });
});

describe('what is no text or far too long', () => {
  it('arguments that came as another value are refused and kept as JSON', () => {
    const call: ProposedCall = { ...probing('{"k":"1"}'), sentAs: 'object' };
    expect(outcomes([call, probing('{"k":"1"}', 'd')])).toEqual(['invalid_arguments', 'probe_write']);
    const [only] = propose([call]).calls;
    expect(only?.staged).toMatchObject({
      rawArguments: '{"k":"1"}',
      argsDigest: rawDigest('{"k":"1"}'),
      reason: 'not_text: they came as an object; send them as a text of JSON',
    });
  });

  it('an id beyond all measure is kept as its beginning and a digest, so that two stay two', () => {
    const long = 'x'.repeat(2_000_000);
    const ids = [`${long}1`, `${long}2`, `${long}1`];
    expect(outcomes(ids.map((id) => probing('{"k":"1"}', id)))).toEqual([
      'probe_write',
      'probe_write',
      'duplicate_call',
    ]);
    const [first, second] = propose(ids.map((id) => probing('{}', id))).calls;
    expect(first?.staged.providerCallId).toBe(`${'x'.repeat(1_024)}… ${rawDigest(`${long}1`)}`);
    expect(second?.staged.providerCallId).not.toBe(first?.staged.providerCallId);
    expect(propose([probing('{}', 'y'.repeat(1_024))]).calls[0]?.staged.providerCallId).toHaveLength(1_024);
  });
});
