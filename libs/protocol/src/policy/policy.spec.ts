import type { Json } from '@writ/contracts';
import fc from 'fast-check';
import {
  authorize,
  normalisePath,
  policyFor,
  readingsOf,
  type CompiledPolicy,
  type CompiledRule,
  type PolicyCall,
} from '.';

const call = (given: Partial<PolicyCall> = {}): PolicyCall => ({
  tool: 'write_file',
  effectClass: 'idempotent',
  args: {},
  ...given,
});
const policyOf = (...rules: CompiledRule[]): CompiledPolicy => ({ rules, onDoubt: 'tell_model' });
const arg = (key: string, pattern: RegExp) => ({ args: [{ key, pattern }] });
const decide = (rules: CompiledRule[], given: Partial<PolicyCall> = {}) => {
  const { decide: answer, rule } = authorize(policyOf(...rules), call(given));
  return `${answer} ${rule}`;
};

describe('the policy', () => {
  it.each([
    ['is missing', undefined],
    ['is empty', policyOf()],
    ['has no rule that matches', policyOf({ match: { tool: () => false }, decide: 'allow' })],
  ])('refuses where it %s', (_, policy) => {
    expect(authorize(policy, call())).toEqual({
      decide: 'refuse',
      rule: 'policy:none',
      reason: 'no policy rule allows it',
      onDoubt: 'tell_model',
    });
  });

  it('decides by the first rule that matches and names it', () => {
    const rules: CompiledRule[] = [
      { match: { effect: ['read'] }, decide: 'allow' },
      { match: { tool: (name) => name.startsWith('write') }, decide: 'refuse', reason: 'read only' },
      { match: {}, decide: 'allow' },
    ];
    expect(authorize(policyOf(...rules), call())).toMatchObject({
      decide: 'refuse',
      rule: 'policy[1]',
      reason: 'read only',
    });
    expect(decide(rules, { effectClass: 'read' })).toBe('allow policy[0]');
    expect(decide(rules, { tool: 'send' })).toBe('allow policy[2]');
  });

  it('needs every part of a match to hold', () => {
    const rule: CompiledRule = {
      match: { tool: (name) => name === 'write_file', effect: ['idempotent', 'read'], ...arg('path', /^a/) },
      decide: 'allow',
    };
    expect(decide([rule], { args: { path: 'ab' } })).toBe('allow policy[0]');
    expect(decide([rule], { args: { path: 'b' } })).toBe('refuse policy:none');
    expect(decide([rule], { args: { path: 'ab' }, effectClass: 'irreversible' })).toBe('refuse policy:none');
    expect(decide([rule], { args: { path: 'ab' }, tool: 'other' })).toBe('refuse policy:none');
  });

  it('gives a person the time of the rule, else ten minutes, and only where it asks', () => {
    const asks = (deadlineMs?: number) =>
      authorize(
        policyOf({ match: {}, decide: 'ask', ...(deadlineMs !== undefined && { deadlineMs }) }),
        call(),
      );
    expect(asks(5_000).approvalDeadlineMs).toBe(5_000);
    expect(asks().approvalDeadlineMs).toBe(600_000);
    expect(authorize(policyOf({ match: {}, decide: 'allow', deadlineMs: 1 }), call())).not.toHaveProperty(
      'approvalDeadlineMs',
    );
  });

  it('takes the word of the rule about doubt, else that of the file', () => {
    const rules: CompiledRule[] = [{ match: {}, decide: 'allow', onDoubt: 'hold_for_person' }];
    expect(authorize(policyOf(...rules), call()).onDoubt).toBe('hold_for_person');
    expect(
      authorize({ rules: [{ match: {}, decide: 'allow' }], onDoubt: 'hold_for_person' }, call()).onDoubt,
    ).toBe('hold_for_person');
    expect(authorize({ rules: [], onDoubt: 'hold_for_person' }, call()).onDoubt).toBe('hold_for_person');
  });

  it.each([
    ['a number', 7],
    ['a list', ['/etc/passwd']],
    ['an object', { path: '/etc/passwd' }],
    ['null', null],
    ['a boolean', true],
  ])('never matches %s against a pattern', (_, path) => {
    expect(decide([{ match: arg('path', /./), decide: 'allow' }], { args: { path } })).toBe(
      'refuse policy:none',
    );
  });

  it('does not take an inherited member for an argument', () => {
    expect(decide([{ match: arg('constructor', /./), decide: 'allow' }])).toBe('refuse policy:none');
  });
});

describe('a rule about the session', () => {
  const rules: CompiledRule[] = [
    { match: { platform: ['web', 'mail'] }, decide: 'refuse' },
    { match: { metadata: [{ key: 'team', pattern: /^ops$/ }] }, decide: 'allow' },
    { match: { platform: ['api'], tool: (name) => name === 'write_file' }, decide: 'ask' },
  ];
  const decideFor = (platform: string, metadata?: Record<string, Json>, tool = 'write_file') => {
    const policy = policyFor(policyOf(...rules), { platform, metadata });
    const { decide: answer, rule } = authorize(policy, call({ tool }));
    return `${answer} ${rule}`;
  };

  it('decides by the platform and the metadata that the session was opened with', () => {
    expect(decideFor('mail', { team: 'ops' })).toBe('refuse policy[0]');
    expect(decideFor('api', { team: 'ops' })).toBe('allow policy[1]');
    expect(decideFor('api', { team: 'devops' })).toBe('ask policy[2]');
    expect(decideFor('api', undefined, 'send')).toBe('refuse policy:none');
  });

  it.each([
    ['a list', ['ops']],
    ['a number', 1],
    ['null', null],
  ])('never matches %s in the metadata, nor an inherited member', (_, team) => {
    expect(decideFor('cli', { team })).toBe('refuse policy:none');
    const inherited = policyFor(
      policyOf({ match: { metadata: [{ key: 'constructor', pattern: /./ }] }, decide: 'allow' }),
      { platform: 'api', metadata: {} },
    );
    expect(authorize(inherited, call()).decide).toBe('refuse');
  });

  it('refuses where nobody has said which session it is, for no rule may be passed over', () => {
    expect(decide(rules)).toBe('refuse policy[0]');
    expect(decide([{ match: { metadata: [] }, decide: 'allow' }])).toBe('refuse policy[0]');
    expect(decide([{ match: { platform: ['api'], effect: ['read'] }, decide: 'allow' }])).toBe(
      'refuse policy:none',
    );
  });
});

describe('a path in an argument', () => {
  const systemFiles: CompiledRule = { match: arg('path', /^\/etc\//), decide: 'refuse' };
  const scratch: CompiledRule = { match: arg('path', /^\/srv\//), decide: 'allow' };

  it.each([
    ['/etc/passwd', 'refuse policy[0]'],
    ['//etc//passwd', 'refuse policy[0]'],
    ['/./etc/./passwd', 'refuse policy[0]'],
    ['/srv/../etc/passwd', 'refuse policy[0]'],
    ['/../../etc/passwd', 'refuse policy[0]'],
    ['/srv/a', 'allow policy[1]'],
    ['/srv/../root/x', 'refuse policy:none'],
    ['/etc/../srv/x', 'allow policy[1]'],
    ['tmp/x', 'refuse policy:none'],
  ])('is normalised before it is matched: %s', (path, wanted) => {
    expect(decide([systemFiles, scratch], { args: { path } })).toBe(wanted);
  });

  it.each([
    ['', ''],
    ['.', '.'],
    ['./', '.'],
    ['/', '/'],
    ['//', '/'],
    ['a/..', '.'],
    ['a/../..', '..'],
    ['../../a', '../../a'],
    ['a/./b//c/', 'a/b/c/'],
    ['/..', '/'],
    ['/a/..', '/'],
    ['plain text', 'plain text'],
    ['...', '...'],
  ])('%j reads as %j', (path, wanted) => {
    expect(normalisePath(path)).toBe(wanted);
  });

  it('does not change when it is normalised again, and an absolute one keeps no dots', () => {
    const segment = fc.constantFrom('', '.', '..', 'a', 'b', '...');
    const path = fc.array(segment, { maxLength: 10 }).map((segments) => segments.join('/'));
    fc.assert(
      fc.property(path, (text) => {
        const once = normalisePath(text);
        expect(normalisePath(once)).toBe(once);
        expect(normalisePath(`/${text}`).split('/')).not.toContain('..');
      }),
    );
  });
});

describe('a URL in an argument', () => {
  it.each([
    ['https://a.test', ['https://a.test']],
    ['https://a.test/', ['https://a.test/']],
    ['https://a.test//b/./c/../d', ['https://a.test/b/d']],
    ['file:///etc//passwd', ['file:///etc/passwd']],
    ['https://a.test/x?next=https://b.test/y', ['https://a.test/x?next=https://b.test/y']],
    ['a://b/../../etc/passwd', ['a://b/etc/passwd', 'etc/passwd']],
    ['https://a.test/?x=/../../..', ['https://a.test/?x=/../../..', '.']],
  ])('%s reads as %j', (text, readings) => {
    expect(readingsOf(text)).toEqual(readings);
  });

  it('keeps its two slashes for the rule', () => {
    const rules: CompiledRule[] = [{ match: arg('url', /^https:\/\/a\.test\//), decide: 'allow' }];
    expect(decide(rules, { args: { url: 'https://a.test/x' } })).toBe('allow policy[0]');
    expect(decide(rules, { args: { url: 'https://a.test.evil/x' } })).toBe('refuse policy:none');
  });

  it.each([
    ['a tool that takes paths', 'a://b/../../etc/passwd', /^etc\//],
    ['a tool that takes paths, by its authority', 'a://../etc/passwd', /^etc\//],
    ['a tool that takes URLs', 'https://evil.test/?x=/../../../ok', /^https:\/\/evil\.test/],
  ])('cannot hide from a rule what it is to %s', (_, value, pattern) => {
    const rules: CompiledRule[] = [
      { match: arg('path', pattern), decide: 'refuse' },
      { match: {}, decide: 'allow' },
    ];
    expect(decide(rules, { args: { path: value } })).toBe('refuse policy[0]');
  });

  it('is refused where one reading would be allowed and the other not', () => {
    const rules: CompiledRule[] = [{ match: arg('path', /^ok\//), decide: 'allow' }];
    expect(decide(rules, { args: { path: 'a://b/../../ok/x' } })).toBe('refuse policy[0]');
  });
});
