import { tableOnRecord, toolsShown } from '@writ/audit';
import type { PublishedTool } from '@writ/contracts';
import type { CompiledPolicy } from '@writ/protocol';
import { definitionDigest, type ModelReply } from '@writ/runtime';
import { tools } from './tools';
import { RoundWorld, type WorldOptions } from './world';

let world: RoundWorld;
afterEach(() => world.close());

const askAll: CompiledPolicy = { rules: [{ match: {}, decide: 'ask' }], onDoubt: 'tell_model' };
const probe = (k: string): ModelReply => ({
  ...{ text: '', finishReason: 'tool_calls', model: 'mouth' },
  calls: [{ id: k, name: 'probe_write', arguments: `{"k":"${k}"}` }],
});
const without = (name: string) => tools.filter((tool) => tool.name !== name);
function changed(name: string, description: string): readonly PublishedTool[] {
  return tools.map((tool) => {
    if (tool.name !== name) return tool;
    const definition = { ...tool, description };
    return { ...definition, definitionDigest: definitionDigest(definition) };
  });
}
const staged = (sessionId: string) =>
  world.events(sessionId).flatMap((event) => (event.type === 'ToolCallStaged' ? [event.data] : []));
const settled = (sessionId: string) =>
  world
    .events(sessionId)
    .flatMap((event) =>
      event.type === 'ToolResultCommitted' ? [event.data.code ?? event.data.outcome] : [],
    );

/** A turn of two calls; while a person looks at the first one, the pool publishes something else. */
async function changedWhileAsked(published: readonly PublishedTool[]): Promise<string> {
  let publishing: Promise<void> | undefined;
  const options: WorldOptions = {
    policy: askAll,
    person: () => {
      publishing ??= world.publish(published);
      return 'grant';
    },
    // Long enough for the new manifest to be read before the next step.
    run: ({ args }) => ({
      result: { status: 'returned', content: [{ type: 'text', text: String(args['k']) }] },
      turns: 50,
    }),
  };
  world = await RoundWorld.start(options);
  const sessionId = await world.session();
  expect((await world.turn(sessionId, probe('1'), probe('2'))).status).toBe('completed');
  await publishing;
  return sessionId;
}

it('a call that is staged runs as it was staged, although its tool is published otherwise meanwhile', async () => {
  const sessionId = await changedWhileAsked(without('probe_write'));
  const published = tools.find(({ name }) => name === 'probe_write');
  expect(staged(sessionId)).toMatchObject([
    { tool: 'probe_write', definitionDigest: published?.definitionDigest, verdict: 'ask', pool: 'default' },
    { nameSent: 'probe_write', verdict: 'refused' },
  ]);
  expect(settled(sessionId).toSorted()).toEqual(['succeeded', 'unknown_tool']);
  expect(world.runs.map(({ args }) => args)).toEqual([{ k: '1' }]);
});

it('what the model was shown with each step is made again from the record, to the definition', async () => {
  const sessionId = await changedWhileAsked(changed('read_file', 'reads one file'));
  const turnId = staged(sessionId)[0]?.turnId ?? '';
  const described = async (step: number) => {
    const shown = await toolsShown(world.store, sessionId, { turnId, step });
    return shown.outcome === 'shown'
      ? shown.tools.find(({ name }) => name === 'read_file')?.description
      : shown.outcome;
  };
  expect([await described(1), await described(2), await described(3), await described(4)]).toEqual([
    ...['read_file', 'reads one file', 'reads one file', 'not_found'],
  ]);
});

it('rules about platform and metadata decide by what the session was opened with', async () => {
  const policy: CompiledPolicy = {
    rules: [
      { match: { metadata: [{ key: 'team', pattern: /^guests$/ }] }, decide: 'refuse' },
      { match: { platform: ['api'] }, decide: 'allow' },
    ],
    onDoubt: 'tell_model',
  };
  world = await RoundWorld.start({ policy });
  const ended = async (metadata: Record<string, string>) => {
    const sessionId = await world.session({ metadata });
    await world.turn(sessionId, probe('1'));
    return [staged(sessionId)[0]?.rule, ...settled(sessionId)];
  };
  expect(await ended({ team: 'guests' })).toEqual(['policy[0]', 'policy_refused']);
  expect(await ended({ team: 'ops' })).toEqual(['policy[1]', 'succeeded']);
});

it('what a session sees is on record with its opening, and not again with its steps', async () => {
  world = await RoundWorld.start();
  const sessionId = await world.session();
  expect(await tableOnRecord(world.store, sessionId)).toMatchObject({
    outcome: 'table',
    table: { tools: tools.map(() => ({ visible: true, reason: 'toolset all' })) },
  });
  await world.turn(sessionId, probe('1'));
  for (const event of world.events(sessionId))
    if (event.type === 'AssistantMessageRecorded') expect(event.data).not.toHaveProperty('toolsetConfig');
});

it('a former name of a tool is judged and run as the tool, and both names are on record', async () => {
  const onlyNew: CompiledPolicy = {
    rules: [{ match: { tool: (name) => name === 'probe_write' }, decide: 'allow' }],
    onDoubt: 'tell_model',
  };
  world = await RoundWorld.start({ policy: onlyNew });
  world.reconfigure({
    toolsets: { all: { tools: ['probe_write'], includes: [] } },
    platforms: { api: { toolsets: ['all'] } },
    aliases: { write_probe: 'probe_write' },
  });
  const sessionId = await world.session();
  const call = { id: 'c', name: 'write_probe', arguments: '{"k":"1"}' };
  await world.turn(sessionId, { ...probe('1'), calls: [call] });
  expect(staged(sessionId)).toMatchObject([
    { nameSent: 'write_probe', tool: 'probe_write', verdict: 'allowed' },
  ]);
  expect(settled(sessionId)).toEqual(['succeeded']);
});

it('an orchestrator with another file records it with its first step, and with that one alone', async () => {
  world = await RoundWorld.start();
  const sessionId = await world.session();
  world.reconfigure({ toolsets: { all: { tools: ['read_file'], includes: [] } }, platforms: {} });
  await world.turn(sessionId, probe('1'));
  const messages = world
    .events(sessionId)
    .flatMap((event) => (event.type === 'AssistantMessageRecorded' ? [event.data] : []));
  expect(messages.map(({ toolsetConfig }) => toolsetConfig)).toEqual([
    { toolsets: { all: { tools: ['read_file'], includes: [] } }, platforms: {} },
    undefined,
  ]);
  const shown = await toolsShown(world.store, sessionId, { turnId: messages[0]?.turnId ?? '', step: 2 });
  expect(shown).toMatchObject({ outcome: 'shown', tools: [{ name: 'read_file' }] });
});
