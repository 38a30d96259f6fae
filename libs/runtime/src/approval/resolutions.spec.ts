import { callStream, type ReadbackEffect } from '@writ/contracts';
import { readWhole } from '../journal/read';
import { silentBus as bus } from '../testing/edge';
import { heir, lostCall } from '../testing/lost-call';
import { Resolutions } from './resolutions';

const said = { evidence: 'T-17', by: 'ann', authentication: 'none', decidedAt: '2026-01-02T03:04:05.000Z' };
const word = (effect: ReadbackEffect, rerun = false) => ({ ...said, effect, rerun });

async function heldCall() {
  const world = await lostCall({ effectClass: 'irreversible' });
  const hold = async (epoch: number) => {
    const { deadline } = world;
    return world.did({ type: 'HoldDoubt', instance: heir, epoch, deadline, evidence: [] });
  };
  await world.takeOver('gone');
  await hold(1);
  const context = () => ({ actor: { service: 'approval-service' as const }, correlationId: 's1' });
  const resolutions = new Resolutions({ ...world.ports, bus, context });
  const comments = async () => {
    const read = await readWhole(world.store, callStream('c1'));
    const events = read.outcome === 'events' ? read.events : [];
    return events.flatMap((event) => (event.type === 'LateDecisionRecorded' ? [event.data] : []));
  };
  return { ...world, hold, resolutions, comments };
}

describe("a person's word on a held call", () => {
  it.each([
    ['applied', { outcome: 'succeeded', effect: 'applied' }],
    ['not_applied', { outcome: 'failed', effect: 'none' }],
    ['unknown', { outcome: 'unknown', effect: 'unknown' }],
  ] as const)('%s settles it in the append that records the word', async (effect, result) => {
    const { resolutions, now, types } = await heldCall();
    expect(await resolutions.resolve(await now(), word(effect))).toMatchObject({ result: 'resolved' });
    expect(types().slice(-2)).toEqual(['DoubtResolved', 'ToolResultCommitted']);
    expect(await now()).toMatchObject({ status: 'settled', result });
  });

  it('is the same answer when it is given again; another is refused and kept with its evidence', async () => {
    const { resolutions, now, types, comments } = await heldCall();
    const seen = await now();
    await resolutions.resolve(seen, word('applied'));
    const length = types().length;
    expect(await resolutions.resolve(seen, word('applied'))).toMatchObject({
      result: 'resolved',
      isNew: false,
    });
    expect(types()).toHaveLength(length);
    expect(await resolutions.resolve(seen, word('not_applied', true))).toMatchObject({ result: 'too_late' });
    expect(await comments()).toMatchObject([{ answer: 'not_applied, rerun', comment: '"T-17"' }]);
  });

  it('that orders a rerun frees the call, and counts once while it runs', async () => {
    const { resolutions, now, claimBy } = await heldCall();
    await resolutions.resolve(await now(), word('not_applied', true));
    expect(await now()).toMatchObject({ status: 'ready', order: { by: 'ann' } });
    const running = await claimBy(heir);
    expect(await resolutions.resolve(running, word('not_applied', true))).toMatchObject({ isNew: false });
    expect(await resolutions.resolve(running, word('applied'))).toMatchObject({ result: 'too_late' });
    expect(await now()).toMatchObject({ status: 'running', epoch: 4 });
  });

  it('that names the epoch of another doubt orders nothing', async () => {
    const { resolutions, now } = await heldCall();
    const stale = { ...word('not_applied', true), epoch: 0 };
    expect(await resolutions.resolve(await now(), stale)).toEqual({ result: 'too_late' });
    expect((await now()).status).toBe('held');
  });

  it('on a call that nobody holds for a person is too late or too early, and changes nothing', async () => {
    const { ports, now, types, context } = await lostCall({ effectClass: 'irreversible' });
    const resolutions = new Resolutions({ ...ports, bus, context: () => context });
    expect(await resolutions.resolve(await now(), word('applied'))).toEqual({ result: 'too_late' });
    expect(types()).toEqual(['ToolExecutionStarted']);
  });

  it('of which nobody knows whether it was stored is found again when it is repeated', async () => {
    const { resolutions, now, store } = await heldCall();
    store.next.push('unheard');
    const seen = await now();
    expect(await resolutions.resolve(seen, word('applied'))).toEqual({ result: 'unresolved' });
    expect(await resolutions.resolve(seen, word('applied'))).toMatchObject({
      result: 'resolved',
      isNew: false,
    });
  });
});
