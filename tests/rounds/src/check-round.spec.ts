import type { ModelReply } from '@writ/runtime';
import { checkRound } from './check-round';
import { RoundWorld } from './world';

jest.setTimeout(60_000);

const reply: ModelReply = {
  text: '',
  calls: [
    { id: 'a', name: 'probe_write', arguments: '{"k":"1"}' },
    { id: 'b', name: 'no_such_tool', arguments: '{}' },
    { id: 'c', name: 'read_file', arguments: '{"path":"x"}' },
  ],
  finishReason: 'tool_calls',
  model: 'mouth',
};

/** What the checks say of a sound round once something about it is made untrue. */
async function foundIn(
  harm: (world: RoundWorld, calls: ModelReply['calls']) => ModelReply['calls'] | undefined,
) {
  const world = await RoundWorld.start();
  try {
    const sessionId = await world.session();
    await world.turn(sessionId, reply);
    const calls = harm(world, reply.calls) ?? reply.calls;
    return checkRound(world, sessionId, [{ ...reply, calls }]);
  } finally {
    await world.close();
  }
}

describe('the checks of a round', () => {
  it('find nothing in a sound one', async () => {
    expect(await foundIn(() => undefined)).toEqual([]);
  });

  it('find a refused call that ran, and a call that ran twice, not at all or with another value', async () => {
    const refused = await foundIn(({ runs, store }) => {
      const staged = store.log.events.flatMap(({ data }) =>
        typeof data === 'object' && data !== null && 'nameSent' in data && 'callId' in data ? [data] : [],
      );
      const callId = String(staged.find(({ nameSent }) => nameSent === 'no_such_tool')?.callId);
      runs.push({ callId, tool: 'x', args: {}, idempotencyKey: callId, epoch: 0, deadlineMs: 1 });
      return undefined;
    });
    expect(refused).toEqual([expect.stringContaining('refused, and ran 1 times')]);
    const twice = await foundIn(({ runs }) => void runs.push(...runs.slice(0, 1)));
    expect(twice).toEqual([expect.stringContaining('ran 2 times')]);
    const never = await foundIn(({ runs }) => void runs.pop());
    expect(never).toEqual([expect.stringContaining('ran 0 times')]);
    const other = await foundIn(({ runs }) => {
      runs.splice(0, runs.length, ...runs.map((run) => ({ ...run, args: { k: '2' } })));
      return undefined;
    });
    expect(other).toHaveLength(2);
  });

  it('find calls that are missing, moved, changed or invented', async () => {
    expect(await foundIn((_world, calls) => [...calls, ...calls.slice(0, 1)])).toHaveLength(1);
    expect(await foundIn((_world, calls) => [...calls].reverse())).not.toEqual([]);
    expect(
      await foundIn((_world, calls) => calls.map((call) => ({ ...call, arguments: '{"k":"2"}' }))),
    ).toHaveLength(3);
    expect(await foundIn((_world, calls) => calls.slice(0, 2))).toEqual(['step 1: 1 calls that nobody sent']);
  });

  it('find a model that was shown something else, and an error in the log', async () => {
    const shown = await foundIn((world) => void world.shown.push([{ role: 'user', content: 'another' }]));
    expect(shown).toEqual(['the model was shown something else than what replays']);
    expect(await foundIn(({ log }) => void log.error('session_failed', {}))).toEqual(['session_failed {}']);
  });
});
