import { authorize } from '@writ/protocol';
import { loadWritConfig } from '.';

const example = `
toolsets:
  files: { description: Read and write files, tools: [read_file, write_file], includes: [] }
  ops:   { description: Run things, tools: [run_command], includes: [files] }
platforms:
  api: { toolsets: [files, ops] }
policy:
  - { match: { effect: read }, decide: allow }
  - { match: { tool: 'run_*' }, decide: ask, reason: runs a command, deadline: 10m }
  - { match: { tool: write_file, args: { path: '^/etc/' } }, decide: refuse, reason: system files }
  - { match: { effect: [idempotent, reconcilable] }, decide: allow, onDoubt: hold_for_person }
onDoubt: tell_model
model: { tries: 3, timeout: 90s, instructions: You are careful. }
compaction: { atTokens: 100000, keepRounds: 4 }
budgets: { steps: 50, callsPerTurn: 200, callsPerBatch: 64, wallTime: 30m, roundTime: 10m, delegates: 3 }
`;

function load(text: string) {
  const loaded = loadWritConfig(text, 'writ.config.yaml');
  if (!loaded.ok) throw new Error(loaded.problems.join('\n'));
  return loaded.config;
}
function problemsOf(text: string): readonly string[] {
  const loaded = loadWritConfig(text, 'writ.config.yaml');
  return loaded.ok ? [] : loaded.problems;
}
const answerOf = (tool: string, effectClass: 'read' | 'idempotent' | 'irreversible', path = 'x') => {
  const { decide, rule } = authorize(load(example).policy, { tool, effectClass, args: { path } });
  return `${decide} ${rule}`;
};

describe('writ.config.yaml', () => {
  it('becomes toolsets, a policy that answers, budgets and what the model is asked with', () => {
    expect(load(example)).toMatchObject({
      toolsets: {
        toolsets: { ops: { tools: ['run_command'], includes: ['files'] } },
        platforms: { api: { toolsets: ['files', 'ops'] } },
      },
      budgets: {
        steps: 50,
        callsPerTurn: 200,
        callsPerBatch: 64,
        wallTimeMs: 1_800_000,
        roundTimeMs: 600_000,
        delegates: 3,
      },
      model: { tries: 3, timeoutMs: 90_000, instructions: 'You are careful.' },
      compaction: { atTokens: 100_000, keepRounds: 4 },
    });
  });

  it.each([
    ['read_file', 'read', 'x', 'allow policy[0]'],
    ['run_command', 'irreversible', 'x', 'ask policy[1]'],
    ['write_file', 'idempotent', '/srv/../etc/passwd', 'refuse policy[2]'],
    ['write_file', 'idempotent', '/srv/x', 'allow policy[3]'],
    ['rerun_command', 'irreversible', 'x', 'refuse policy:none'],
  ] as const)('decides about %s (%s) on %s: %s', (...[tool, effectClass, path, wanted]) => {
    expect(answerOf(tool, effectClass, path)).toBe(wanted);
  });

  it('gives the compiled rules their reason, deadline and word about doubt', () => {
    const { policy } = load(example);
    expect(authorize(policy, { tool: 'run_x', effectClass: 'irreversible', args: {} })).toEqual({
      decide: 'ask',
      rule: 'policy[1]',
      reason: 'runs a command',
      approvalDeadlineMs: 600_000,
      onDoubt: 'tell_model',
    });
    expect(authorize(policy, { tool: 'w', effectClass: 'idempotent', args: {} }).onDoubt).toBe(
      'hold_for_person',
    );
  });

  it('may be empty: then no tool is seen, every call is refused, and budgets are the documented ones', () => {
    const config = load('');
    expect(config.policy.rules).toEqual([]);
    expect(config.toolsets).toEqual({ toolsets: {}, platforms: {} });
    expect(config.budgets).toEqual({
      steps: 50,
      callsPerTurn: 200,
      callsPerBatch: 64,
      wallTimeMs: 1_800_000,
      roundTimeMs: 600_000,
      delegates: 3,
    });
    expect(config.model).toEqual({ tries: 4, timeoutMs: 120_000 });
  });

  it('has a policy digest that follows the rules and not their spelling', () => {
    const digestOf = (text: string) => load(text).policyDigest;
    const base = digestOf('policy: [{ match: { effect: read }, decide: allow }]');
    expect(
      digestOf('policy:\n  - decide: allow\n    match:\n      effect: read\nbudgets: { steps: 1 }'),
    ).toBe(base);
    expect(digestOf('policy: [{ match: { effect: read }, decide: ask }]')).not.toBe(base);
    expect(
      digestOf('policy: [{ match: { effect: read }, decide: allow }]\nonDoubt: hold_for_person'),
    ).not.toBe(base);
  });

  it.each([
    ['an unknown key', 'toolsetz: {}', '1: toolsetz: unknown key'],
    [
      'an unknown key of a rule',
      'policy:\n  - match: {}\n    decide: allow\n    reson: x',
      '4: policy[0].reson: unknown key',
    ],
    [
      'a bad duration',
      'budgets:\n  steps: 3\n  wallTime: 1.5h',
      '3: budgets.wallTime: must be a whole number followed by ms, s, m or h, at most 24 days',
    ],
    [
      'a bad deadline',
      'policy:\n  - match: {}\n    decide: ask\n    deadline: soon',
      '4: policy[0].deadline: must be a whole number followed by ms, s, m or h, at most 24 days',
    ],
    [
      'a bad pattern',
      'policy:\n  - match:\n      args:\n        path: "("\n    decide: ask',
      '4: policy[0].match.args.path: must be a JavaScript regular expression',
    ],
    [
      'a bad glob',
      'policy:\n  - match:\n      tool: "run_["\n    decide: ask',
      '3: policy[0].match.tool: must be a glob over tool names',
    ],
    [
      'an unknown include',
      'toolsets:\n  a:\n    includes:\n      - b',
      '4: toolsets.a.includes[0]: unknown toolset "b"',
    ],
    [
      'an unknown toolset of a platform',
      'platforms:\n  api:\n    toolsets: [x]',
      '3: platforms.api.toolsets[0]: unknown toolset "x"',
    ],
    [
      'an alias that means nothing',
      'toolsets: { a: { tools: [look] } }\naliases:\n  see: looc',
      '3: aliases.see: no toolset has a tool looc',
    ],
    ['a cycle', 'toolsets:\n  a:\n    includes: [a]', '3: toolsets.a.includes[0]: includes itself: a > a'],
    [
      'a name that is no tool name',
      'toolsets:\n  a:\n    tools: [read file]',
      '3: toolsets.a.tools[0]: Invalid string: must match pattern /^[a-zA-Z0-9_-]{1,64}$/',
    ],
    [
      'a platform of a rule that is none',
      'platforms: { api: { toolsets: [] } }\npolicy:\n  - match: { platform: apy }\n    decide: refuse',
      '3: policy[0].match.platform: unknown platform "apy"',
    ],
    [
      'a platform of a rule that is none, in a list',
      'platforms: { api: { toolsets: [] } }\npolicy:\n  - decide: refuse\n    match:\n      platform:\n        - api\n        - web',
      '7: policy[0].match.platform[1]: unknown platform "web"',
    ],
    [
      'a bad pattern of the metadata',
      'policy:\n  - match:\n      metadata:\n        team: "("\n    decide: ask',
      '4: policy[0].match.metadata.team: must be a JavaScript regular expression',
    ],
    [
      'an unknown effect class',
      'policy:\n  - match: { effect: wriet }\n    decide: allow',
      '2: policy[0].match.effect: Invalid option: expected one of "read"|"idempotent"|"reconcilable"|"irreversible", or Invalid input: expected array, received string',
    ],
    [
      'an unknown word about doubt',
      'onDoubt: ask_somebody',
      '1: onDoubt: Invalid option: expected one of "tell_model"|"hold_for_person"',
    ],
    [
      'an unknown word about doubt in a rule',
      'policy:\n  - match: {}\n    decide: allow\n    onDoubt: hold',
      '4: policy[0].onDoubt: Invalid option: expected one of "tell_model"|"hold_for_person"',
    ],
    [
      'a rule without a decision',
      'policy:\n  - match: {}',
      '2: policy[0].decide: Invalid option: expected one of "allow"|"ask"|"refuse"',
    ],
  ])('says of %s what is wrong and where, in one line', (_, text, problem) => {
    expect(problemsOf(text)).toEqual([`writ.config.yaml:${problem}`]);
  });

  it('has the line ready for a tool that turns out to be published by nobody', () => {
    const { problemAt } = load('toolsets:\n  a:\n    tools:\n      - ghost');
    expect(problemAt({ path: ['toolsets', 'a', 'tools', 0], message: 'unknown tool' })).toBe(
      'writ.config.yaml:4: toolsets.a.tools[0]: unknown tool',
    );
  });
});
