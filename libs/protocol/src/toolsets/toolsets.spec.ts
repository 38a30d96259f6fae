import fc from 'fast-check';
import { digest } from '../testing/facts';
import { published, visible } from '../testing/tools';
import {
  checkSessionScope,
  checkToolsets,
  resolveName,
  toolsetsInForce,
  toolsetsOnRecord,
  toolTable,
  unpublishedTools,
  visibleTools,
  type PoolManifest,
  type SessionScope,
  type ToolsetConfig,
} from '.';

const set = (tools: string[], includes: string[] = []) => ({ tools, includes });
const config: ToolsetConfig = {
  toolsets: {
    files: set(['read_file', 'write_file']),
    ops: set(['run_command'], ['files']),
    mail: set(['send_mail', 'read_file']),
  },
  platforms: { api: { toolsets: ['ops'] }, chat: { toolsets: ['files'] } },
};
const names = ['write_file', 'run_command', 'read_file', 'send_mail'];
const manifests: readonly PoolManifest[] = [{ pool: 'default', tools: names.map((name) => published(name)) }];

const tableOf = (scope: Partial<SessionScope>, given: Partial<Parameters<typeof toolTable>[0]> = {}) =>
  toolTable({ config, scope: { platform: 'api', ...scope }, manifests, ...given });
const seen = (...given: Parameters<typeof tableOf>) =>
  visibleTools(tableOf(...given)).map((tool) => tool.name);
const reasonFor = (name: string, rows: ReturnType<typeof toolTable>) =>
  rows.find(({ tool }) => tool.name === name)?.reason;

describe('the tool table', () => {
  it('has one row and one reason for every published tool, sorted by name', () => {
    const rows = tableOf({});
    expect(rows.map(({ tool, visible: isVisible, reason }) => [tool.name, isVisible, reason])).toEqual([
      ['read_file', true, 'toolset ops'],
      ['run_command', true, 'toolset ops'],
      ['send_mail', false, 'in no toolset of this session'],
      ['write_file', true, 'toolset ops'],
    ]);
  });

  it('takes the toolsets of the platform, includes followed, where the session names none', () => {
    expect(seen({})).toEqual(['read_file', 'run_command', 'write_file']);
    expect(seen({ platform: 'chat' })).toEqual(['read_file', 'write_file']);
    expect(toolsetsInForce(config, { platform: 'chat' })).toEqual(['files']);
  });

  it('gives the first toolset that brings a tool as the reason', () => {
    expect(reasonFor('read_file', tableOf({ toolsets: ['files', 'ops'] }))).toBe('toolset files');
    expect(reasonFor('read_file', tableOf({ toolsets: ['ops', 'files'] }))).toBe('toolset ops');
  });

  it('lets a session narrow what its platform shows, and never widen it', () => {
    expect(seen({ toolsets: ['files'] })).toEqual(['read_file', 'write_file']);
    const rows = tableOf({ toolsets: ['mail'] });
    expect(visibleTools(rows).map((tool) => tool.name)).toEqual(['read_file']);
    expect(reasonFor('send_mail', rows)).toBe('platform api does not include it');
  });

  it('shows nothing on a platform that the configuration does not name', () => {
    expect(seen({ platform: 'web' })).toEqual([]);
    expect(seen({ platform: 'web', toolsets: ['ops'] })).toEqual([]);
    expect(seen({ platform: 'constructor', toolsets: ['ops'] })).toEqual([]);
  });

  it('sets no limit by platform where the configuration has no platforms at all', () => {
    const free = { ...config, platforms: {} };
    expect(seen({ toolsets: ['mail'] }, { config: free })).toEqual(['read_file', 'send_mail']);
    expect(seen({}, { config: free })).toEqual([]);
  });

  it('lets disabled win over everything, through includes and shared tools', () => {
    expect(seen({ disabledToolsets: ['mail'] })).toEqual(['run_command', 'write_file']);
    expect(seen({ disabledToolsets: ['ops'] })).toEqual([]);
    const problemOf = () => 'broken';
    const rows = tableOf({ toolsets: ['files'], disabledToolsets: ['files'] }, { problemOf });
    expect(reasonFor('read_file', rows)).toBe('toolset files is disabled');
  });

  it.each([
    ['another definition', digest('9')],
    ['the very same definition', digest('d')],
  ])('hides a name that two pools publish, with %s', (_, definitionDigest) => {
    const other = { pool: 'blue', tools: [published('read_file', { definitionDigest })] };
    const rows = tableOf({}, { manifests: [...manifests, other] });
    expect(rows.filter(({ tool }) => tool.name === 'read_file')).toHaveLength(1);
    expect(rows.find(({ tool }) => tool.name === 'read_file')).toMatchObject({
      visible: false,
      reason: 'published by more than one pool: blue, default',
    });
  });

  it('hides a name that one pool publishes twice', () => {
    const twice = [{ pool: 'default', tools: [published('read_file'), published('read_file')] }];
    expect(reasonFor('read_file', tableOf({}, { manifests: twice }))).toBe('published twice by pool default');
  });

  it('hides a tool that cannot be used, and says why', () => {
    const problemOf = ({ name }: { name: string }) =>
      name === 'read_file' ? 'type must be a string' : undefined;
    expect(reasonFor('read_file', tableOf({}, { problemOf }))).toBe('type must be a string');
    expect(seen({}, { problemOf })).toEqual(['run_command', 'write_file']);
  });

  it('gives the same table whatever the order of pools and tools', () => {
    const pools = [
      { pool: 'b', tools: [published('x'), published('read_file')] },
      { pool: 'a', tools: [published('x'), published('write_file')] },
    ];
    const turned = [...pools].reverse().map(({ pool, tools }) => ({ pool, tools: [...tools].reverse() }));
    expect(tableOf({}, { manifests: turned })).toEqual(tableOf({}, { manifests: pools }));
  });

  it('ends on a cycle and skips unknown names, should the checks have been passed over', () => {
    const toolsets = {
      a: set(['read_file'], ['b', 'nowhere', 'constructor']),
      b: set(['write_file'], ['a']),
    };
    expect(seen({ toolsets: ['a'] }, { config: { toolsets, platforms: {} } })).toEqual([
      'read_file',
      'write_file',
    ]);
  });
});

describe('what goes on record of the toolsets', () => {
  it('is what bears on the session, without words', () => {
    const described = {
      ...config.toolsets,
      files: { ...set(['read_file', 'write_file']), description: 'files' },
    };
    expect(
      toolsetsOnRecord({ ...config, toolsets: described }, { platform: 'chat', toolsets: ['files'] }),
    ).toEqual({
      toolsets: { files: set(['read_file', 'write_file']) },
      platforms: { chat: { toolsets: ['files'] } },
    });
    expect(toolsetsOnRecord({ ...config, platforms: {} }, { platform: 'x', toolsets: [] })).toEqual({
      toolsets: {},
      platforms: {},
    });
  });

  it('gives every tool the row that the whole configuration gives it', () => {
    const setName = fc.constantFrom('a', 'b', 'c', 'd', 'gone');
    const someSets = fc.uniqueArray(setName, { maxLength: 3 });
    const toolset = fc.record({
      tools: fc.uniqueArray(fc.constantFrom(...names), { maxLength: 3 }),
      includes: someSets,
    });
    const whole = fc.record({
      toolsets: fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), toolset),
      platforms: fc.dictionary(fc.constantFrom('api', 'web', 'chat'), fc.record({ toolsets: someSets })),
    });
    const scope = fc.record({
      platform: fc.constantFrom('api', 'web', 'fax'),
      toolsets: someSets,
      disabledToolsets: someSets,
    });
    fc.assert(
      fc.property(whole, scope, (one, of) => {
        const recorded = toolsetsOnRecord(one, of);
        expect(tableOf(of, { config: recorded })).toEqual(tableOf(of, { config: one }));
        expect(toolsetsOnRecord(recorded, of)).toEqual(recorded);
      }),
    );
  });
});

describe('what a configuration gets wrong about toolsets', () => {
  const problemsOf = (toolsets: ToolsetConfig['toolsets'], platforms: ToolsetConfig['platforms'] = {}) =>
    checkToolsets({ toolsets, platforms }).map(({ path, message }) => `${path.join('.')}: ${message}`);

  it('is nothing in a sound one, a diamond of includes included', () => {
    const diamond = { a: set([], ['b', 'c']), b: set([], ['d']), c: set([], ['d']), d: set(['x']) };
    expect(problemsOf(diamond, { api: { toolsets: ['a'] } })).toEqual([]);
  });

  it.each([
    [
      'an unknown include',
      { a: set([], ['b', 'gone']), b: set([]) },
      ['toolsets.a.includes.1: unknown toolset "gone"'],
    ],
    [
      'an inherited name',
      { a: set([], ['constructor']) },
      ['toolsets.a.includes.0: unknown toolset "constructor"'],
    ],
    ['itself', { a: set([], ['a']) }, ['toolsets.a.includes.0: includes itself: a > a']],
    [
      'a cycle, told at each of its includes',
      { a: set([], ['b']), b: set([], ['c']), c: set([], ['a']), d: set([], ['a']) },
      [
        'toolsets.a.includes.0: includes itself: a > b > c > a',
        'toolsets.b.includes.0: includes itself: b > c > a > b',
        'toolsets.c.includes.0: includes itself: c > a > b > c',
      ],
    ],
  ])('names the place of %s', (_, toolsets, problems) => {
    expect(problemsOf(toolsets)).toEqual(problems);
  });

  it('names the place of a platform with an unknown toolset', () => {
    expect(problemsOf({ a: set([]) }, { api: { toolsets: ['a', 'b'] } })).toEqual([
      'platforms.api.toolsets.1: unknown toolset "b"',
    ]);
  });

  it('tells which named tools no pool publishes', () => {
    expect(unpublishedTools(config, new Set(['read_file', 'write_file', 'run_command']))).toEqual([
      { path: ['toolsets', 'mail', 'tools', 0], message: 'unknown tool send_mail: no pool publishes it' },
    ]);
  });

  it.each([
    [{ toolsets: ['files', 'nope'] }, ['toolsets', 1]],
    [{ disabledToolsets: ['__proto__'] }, ['disabledToolsets', 0]],
    [{ platform: 'web' }, ['platform']],
  ])('tells a session that asks for %j where it is wrong', (scope, path) => {
    expect(checkSessionScope(config, { platform: 'api', ...scope })).toMatchObject([{ path }]);
  });

  it('lets a session name any platform where none is configured', () => {
    expect(checkSessionScope({ ...config, platforms: {} }, { platform: 'web', toolsets: ['ops'] })).toEqual(
      [],
    );
  });
});

describe('a former name of a tool', () => {
  const visibleNow = ['find_file', 'Old_Search', 'send'].map((name) => visible(name));
  const aliases = { search: 'find_file', old_search: 'find_file', post: 'gone', send: 'find_file' };
  const meant = (name: string) => {
    const resolution = resolveName(name, visibleNow, aliases);
    return resolution.status === 'resolved' ? `${resolution.how} ${resolution.tool.name}` : 'unknown';
  };

  it.each([
    ['search', 'alias find_file'],
    ['functions.search', 'namespaced find_file'],
    ['old_search', 'alias find_file'],
    ['send', 'exact send'],
    ['Search', 'unknown'],
    ['post', 'unknown'],
    ['constructor', 'unknown'],
  ])('%s is %s', (name, wanted) => {
    expect(meant(name)).toBe(wanted);
  });

  it('must mean a tool that some toolset has, and be the name of none', () => {
    const problems = checkToolsets({
      ...config,
      aliases: { read: 'read_file', old: 'read', send_mail: 'read_file' },
    });
    expect(problems.map(({ path, message }) => `${path.join('.')}: ${message}`)).toEqual([
      'aliases.old: no toolset has a tool read',
      'aliases.send_mail: is the name of a tool, so it would never be an alias',
    ]);
  });

  it('may be that of a toolset: one that includes what it is called now', () => {
    const renamed = { ...config, toolsets: { ...config.toolsets, old_files: set([], ['files']) } };
    expect(seen({ toolsets: ['old_files'] }, { config: renamed })).toEqual(['read_file', 'write_file']);
    expect(seen({ disabledToolsets: ['old_files'] }, { config: renamed })).toEqual(['run_command']);
  });
});
