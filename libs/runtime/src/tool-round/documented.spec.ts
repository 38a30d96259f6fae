import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { argumentsCodes, cutReasons, protocolLimits, refusalCodes, type RefusalCode } from '@writ/protocol';
import { argumentLimits } from '../limits';
import type { ProposedCall } from '../ports';
import { budgets, byDash, byScore, probe, probing, propose, readFile } from '../testing/rounds';
import { visibleTool } from '../testing/tools';

const page = readFileSync(join(__dirname, '../../../../docs/TOOL-ROUND.md'), 'utf8');

/** The rows of the table under a heading, cell by cell; code marks are left out. */
function table(heading: string): readonly string[][] {
  const [, section = ''] = page.split(`\n## ${heading}\n`);
  const [own = ''] = section.split('\n## ');
  const rows = own.split('\n').filter((line) => line.startsWith('| '));
  return rows.slice(2).map((row) =>
    row
      .slice(2, -2)
      .split(' | ')
      .map((cell) => cell.trim().replace(/^`(.*)`$/, '$1')),
  );
}

type Given = Parameters<typeof propose>;
const child = visibleTool('delegate_task', { delegate: true });
const visible = [readFile, probe, byDash, byScore, child];
const refuseAll = {
  rules: [{ match: {}, decide: 'refuse', reason: 'not on a Sunday' }],
  onDoubt: 'tell_model',
} as const;
const twice = (call: ProposedCall, other: Partial<ProposedCall> = {}) => [call, { ...call, ...other }];

/** Batches whose last call is refused with this code. */
const examples: { readonly [code in RefusalCode]: Given } = {
  truncated: [[probing('{"k":"lo')], {}, 'length'],
  invalid_batch: [[{ name: 'multi_tool_use.parallel', arguments: '{"tool_uses":[]}' }]],
  unknown_tool: [[{ name: 'Get_By_Id', arguments: '{}' }]],
  invalid_arguments: [[{ name: 'read_file', arguments: '{}' }]],
  policy_refused: [[probing('{}')], { policy: refuseAll }],
  duplicate_call: [twice(probing('{}'))],
  delegate_cap: [
    twice({ id: 'a', name: 'delegate_task', arguments: '{}' }, { id: 'b' }),
    { budgets: { ...budgets, delegates: 1 } },
  ],
  batch_cap: [twice(probing('{}'), { id: 'd' }), { budgets: { ...budgets, callsPerBatch: 1 } }],
  calls_budget: [[probing('{}')], { callsUsed: budgets.callsPerTurn }],
};

const deep = argumentLimits.depth + 1;
/** Arguments that are refused with each code, first come first. */
const texts: { readonly [code in (typeof argumentsCodes)[number]]: ProposedCall } = {
  not_text: { ...probing('{"k":"1"}'), sentAs: 'object' },
  too_large: probing(`{"k":"${'a'.repeat(argumentLimits.rawBytes)}"}`),
  not_json: probing('{"k":"1"}{"k":"1"}'),
  ends_early: probing('{"k":"lo'),
  not_object: probing('"{\\"k\\":\\"1\\"}"'),
  too_deep: probing(`${'{"a":'.repeat(deep)}1${'}'.repeat(deep)}`),
  doubled_key: probing('{"k":"1","k":"2"}'),
  dangerous_key: probing('{"__proto__":{}}'),
  integer_too_large: probing('{"n":9007199254740993}'),
  number_out_of_range: probing('{"n":1e400}'),
  number_inexact: probing('{"n":0.10000000000000000001}'),
  lone_surrogate: probing('{"k":"\\ud800"}'),
  null_character: probing('{"k":"\\u0000"}'),
};

function refusalOf([calls, given, finishReason]: Given) {
  const last = propose(calls, { visible, ...given }, finishReason).calls.at(-1);
  const [part] = last?.refusal?.content ?? [];
  return { code: last?.refusal?.code, rule: last?.staged.rule, text: part?.type === 'text' ? part.text : '' };
}

describe('docs/TOOL-ROUND.md', () => {
  it('lists every refusal of a round in its order, with its rule and what the model reads', () => {
    expect(
      table('The checks, in their order').map(([at, , code, rule, text]) => [at, code, rule, text]),
    ).toEqual(
      refusalCodes.map((code, index) => {
        const refused = refusalOf(examples[code]);
        expect(refused.code).toBe(code);
        return [String(index + 1), code, refused.rule, refused.text];
      }),
    );
  });

  it('lists everything that makes a text no arguments, with what the model reads', () => {
    expect(table('Arguments').map(([code, , text]) => [code, text])).toEqual(
      argumentsCodes.map((code) => {
        const { text } = refusalOf([[texts[code]]]);
        const [, found, message] =
          /^Refused \(invalid_arguments\), nothing was run: (\w+): (.*)$/.exec(text) ?? [];
        expect(found).toBe(code);
        return [code, message];
      }),
    );
  });

  it('names every word for a cut, and the numbers of the round', () => {
    expect(page).toContain(cutReasons.map((word) => `\`${word}\``).join(', '));
    for (const number of [
      `${argumentLimits.wrappedCalls} entries`,
      `${argumentLimits.idKeptCharacters} characters`,
      `${protocolLimits.failedReplies} replies in a row`,
      `${argumentLimits.depth} levels`,
    ])
      expect(page).toContain(number);
  });
});
