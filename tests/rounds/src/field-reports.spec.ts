import type { EventData, WritEvent } from '@writ/contracts';
import {
  checkAnthropicMessages,
  checkOpenaiMessages,
  decideSession,
  emptyTranscript,
  foldSession,
  foldTranscript,
  toAnthropic,
  toCanonical,
  toOpenai,
} from '@writ/protocol';
import { runtimeLimits, type ModelOutcome, type ModelReply, type ProposedCall } from '@writ/runtime';
import { checkRound } from './check-round';
import { RoundWorld, type WorldOptions } from './world';

jest.setTimeout(60_000);

let world: RoundWorld;
let sessionId: string;
const begin = async (options: WorldOptions = {}): Promise<void> => {
  world = await RoundWorld.start(options);
  sessionId = await world.session();
};
afterEach(() => world.close());

const reply = (calls: readonly ProposedCall[], finishReason = 'tool_calls'): ModelReply => ({
  ...{ text: '', calls, finishReason, model: 'mouth' },
});
const probe = (args: string, id = 'c'): ProposedCall => ({ id, name: 'probe_write', arguments: args });
const said = (text: string) => ({ status: 'returned' as const, content: [{ type: 'text' as const, text }] });

/** One turn with these replies, whose record must hold. */
async function turn(...replies: readonly ModelReply[]): Promise<void> {
  expect((await world.turn(sessionId, ...replies)).status).toBe('completed');
}
const sound = (...replies: readonly ModelReply[]) =>
  expect(checkRound(world, sessionId, replies)).toEqual([]);
const transcript = () => world.events(sessionId).reduce(foldTranscript, emptyTranscript());
const calls = () =>
  toCanonical(transcript()).turns.flatMap(({ steps }) => steps.flatMap((step) => step.calls));
const ends = () => calls().map(({ outcome, code }) => code ?? outcome);
const ran = () => world.runs.map(({ args }) => args['k'] ?? args['path']);

it('F07: an id that comes again in every turn is a new call each time', async () => {
  await begin();
  const replies = ['1', '2', '2'].map((k) => reply([probe(`{"k":"${k}"}`, 'call_0')]));
  for (const one of replies) await turn(one);
  expect(ran()).toEqual(['1', '2', '2']);
  expect(new Set(world.runs.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(3);
  expect(calls().map(({ providerCallId }) => providerCallId)).toEqual(['call_0', 'call_0', 'call_0']);
});

it('F08: two calls under one id both run, each with its own result; the same entry again does not', async () => {
  await begin();
  const entry = probe('{"k":"C"}', 'r1');
  const one = reply([probe('{"k":"A"}', 'r1'), probe('{"k":"B"}', 'r1'), entry, entry]);
  await turn(one);
  sound(one);
  expect(ends()).toEqual(['succeeded', 'succeeded', 'succeeded', 'duplicate_call']);
  expect(calls().map(({ content }) => content[0])).toEqual([
    ...world.runs.map(({ callId }) => ({ type: 'text', text: callId })),
    expect.objectContaining({ text: expect.stringContaining('an identical call stands earlier') }),
  ]);
});

it.each([
  ['length', 'truncated'],
  ['tool_calls', 'invalid_arguments'],
])('F09: the cut call of a reply that ended by %s never runs, the whole one does', async (why, code) => {
  await begin();
  const one = reply([probe('{"k":"1"}', 'a'), probe('{"path":"a.txt","content":"abc', 'b')], why);
  await turn(one);
  sound(one);
  expect(ends()).toEqual(['succeeded', code]);
  expect(ran()).toEqual(['1']);
});

it('F10: what can only mean no arguments runs as such, every other odd text has a refusal of its own', async () => {
  await begin();
  const texts = ['', '   ', '[]', 'null', '42', '{"a":1}{"a":1}', '{}', '{"k":"1"}'];
  const one = reply(texts.map((text, index) => probe(text, `c${index}`)));
  await turn(one);
  sound(one);
  const [runs, refused] = ['succeeded', 'invalid_arguments'];
  expect(ends()).toEqual([runs, runs, refused, refused, refused, refused, runs, runs]);
  expect(calls().map(({ rawArguments }) => rawArguments)).toEqual(texts);
});

it('F11: a result is cut between characters, and half a character spoils nothing that comes after', async () => {
  const texts = [`${'a'.repeat(runtimeLimits.resultBytes - 1)}😀`, `${'😀'.repeat(200_000)}`, 'x\ud800y'];
  await begin({ run: ({ args }) => ({ result: said(texts[Number(args['k'])] ?? ''), turns: 0 }) });
  const one = reply(texts.map((_, index) => probe(`{"k":"${index}"}`, `c${index}`)));
  await turn(one);
  sound(one);
  expect(JSON.stringify(world.shown.at(-1))).not.toMatch(/\\ud[89a-f]|\ufffd(?!y)/);
  expect(calls()[0]?.content).toEqual([{ type: 'text', text: expect.stringMatching(/^a+\n\[cut: /) }]);
});

it('F12: a bad name refuses its own call alone, and is matched only where one tool can be meant', async () => {
  await begin();
  const named = (name: string): ProposedCall => ({ name, arguments: '{"path":"x","k":"1"}' });
  const names = ['read_file', 'no_such_tool', 'Probe_Write', 'Get_By_Id', 'constructor', ''];
  const one = reply(names.map(named));
  await turn(one);
  sound(one);
  const [runs, unknown] = ['succeeded', 'unknown_tool'];
  expect(ends()).toEqual([runs, unknown, runs, unknown, unknown, unknown]);
  expect(calls()[2]).toMatchObject({ nameSent: 'Probe_Write', tool: 'probe_write' });
  expect(JSON.stringify(calls()[1]?.content)).toContain('probe_write, read_file');
});

it('F14: results are recorded as they come and shown in the order of the calls', async () => {
  const turns: { readonly [k: string]: number } = { c1: 40, c2: 10, c3: 25 };
  await begin({
    run: ({ args }) => ({ result: said(String(args['k'])), turns: turns[String(args['k'])] ?? 0 }),
  });
  const one = reply(['c1', 'c2', 'c3'].map((k) => probe(`{"k":"${k}"}`, k)));
  await turn(one);
  sound(one);
  const textOf = ({ content }: Pick<EventData<'ToolResultCommitted'>, 'content'>) =>
    content.map((part) => (part.type === 'text' ? part.text : '')).join();
  const committed = world
    .events(sessionId)
    .flatMap((event) => (event.type === 'ToolResultCommitted' ? [textOf(event.data)] : []));
  expect(committed).toEqual(['c2', 'c3', 'c1']);
  expect(calls().map(textOf)).toEqual(['c1', 'c2', 'c3']);
  const [, , results] = toAnthropic(transcript()).messages;
  expect(results?.content.map(({ type }) => type)).toEqual(['tool_result', 'tool_result', 'tool_result']);
});

describe('F21: a reply that broke off', () => {
  const broken: ModelOutcome = { ok: false, retryable: true, cause: 'the reply is no chat completion' };

  it('leaves nothing on record, and the turn says why once the tries are used up', async () => {
    await begin();
    const ended = await world.turn(sessionId, broken, broken, broken);
    expect(ended).toMatchObject({
      status: 'failed',
      failure: { code: 'model_failed', message: 'the reply is no chat completion' },
    });
    expect(world.events(sessionId).map(({ type }) => type)).toEqual([
      ...['SessionOpened', 'SessionLeaseAcquired', 'TurnStarted', 'TurnFailed', 'SessionLeaseReleased'],
    ]);
    expect(world.runs).toEqual([]);
  });

  it('is asked for again, and a whole one is a round like any other', async () => {
    await begin();
    const one = reply([probe('{"k":"1"}')]);
    expect((await world.turn(sessionId, broken, one)).status).toBe('completed');
    sound(one);
    expect(ran()).toEqual(['1']);
  });
});

it('F22: a summary takes whole rounds, wherever it would like to cut', async () => {
  await begin();
  for (let round = 0; round < 20; round += 1)
    await turn(reply(['a', 'b', 'c'].map((k) => probe(`{"k":"${k}${round}"}`, k))));
  const events = world.events(sessionId);
  const lease = events.filter(({ type }) => type === 'SessionLeaseAcquired').length;
  expect(lease).toBe(20);
  const session = foldSession(events.filter(({ stream }) => stream.startsWith('session-')).slice(0, -1));
  const messages = events.filter(
    (event) => event.type === 'AssistantMessageRecorded' && event.data.step === 1,
  );
  const at = messages[9]?.revision ?? 0;
  const [instance, epoch] = [session.lease?.instance ?? '', session.lease?.epoch ?? 0];
  const cut = (throughRevision: number) =>
    decideSession(session, {
      ...{ type: 'CompactContext', instance, epoch, throughRevision, summary: 'Ten rounds.', openCalls: [] },
    });
  // The message and its first two calls: behind each of them the pairs would be parted.
  for (const offset of [0, 1, 2]) expect(cut(at + offset)).toMatchObject({ kind: 'rejected' });
  for (const through of [at - 1, at + 3]) {
    const decision = cut(through);
    if (decision.kind !== 'accepted') throw new Error('refused');
    const [compacted] = decision.events;
    const last = events.at(-1);
    if (compacted?.type !== 'ContextCompacted' || last === undefined) throw new Error('nothing to fold');
    const event: WritEvent = { ...last, ...compacted, revision: last.revision + 1 };
    const state = foldTranscript(transcript(), event);
    expect(checkOpenaiMessages(toOpenai(state).messages)).toEqual([]);
    expect(checkAnthropicMessages(toAnthropic(state).messages)).toEqual([]);
    expect(JSON.stringify(toOpenai(state))).toContain('Ten rounds.');
    expect(toCanonical(state).turns.flatMap(({ steps }) => steps.flatMap((step) => step.calls))).toHaveLength(
      60,
    );
  }
});

describe('F23: what is too large', () => {
  it('as a result is cut before the commit, and its effect is not had again', async () => {
    const sizes = [900_000, 1_100_000, 12_000_000];
    await begin({ run: ({ args }) => ({ result: said('é'.repeat(Number(args['k']) / 2)), turns: 0 }) });
    const one = reply(sizes.map((size) => probe(`{"k":"${size}"}`, String(size))));
    await turn(one);
    sound(one);
    expect(world.runs).toHaveLength(3);
    for (const [index, { content }] of calls().entries())
      expect(JSON.stringify(content)).toContain(`of ${sizes[index]} bytes]`);
  });

  it('as arguments is refused before anything runs, and the sibling runs', async () => {
    await begin();
    const one = reply([probe(`{"k":"${'a'.repeat(1_100_000)}"}`, 'a'), probe('{"k":"1"}', 'b')]);
    await turn(one);
    sound(one);
    expect(ends()).toEqual(['invalid_arguments', 'succeeded']);
  });

  it('as a whole batch runs nothing and ends the turn with the true reason, and the next turn runs', async () => {
    await begin();
    const large = reply(['a', 'b', 'c'].map((k) => probe(`{"k":"${k.repeat(400_000)}"}`, k)));
    expect(await world.turn(sessionId, large)).toMatchObject({
      status: 'failed',
      failure: { code: 'session_persistence_failed', cause: 'append_too_large' },
    });
    expect(world.runs).toEqual([]);
    await turn(reply([probe('{"k":"1"}')]));
    expect(ran()).toEqual(['1']);
  });
});

it('a model that never gets a call right is asked five times, and the turn says so', async () => {
  await begin();
  const replies = Array.from({ length: 8 }, (_, index) => reply([probe('{"k":', `c${index}`)]));
  expect(await world.turn(sessionId, ...replies)).toMatchObject({
    status: 'failed',
    failure: { code: 'model_failed', message: expect.stringContaining('5 replies in a row') },
  });
  expect(world.shown).toHaveLength(5);
  expect(world.runs).toEqual([]);
  sound(...replies.slice(0, 5));
});
