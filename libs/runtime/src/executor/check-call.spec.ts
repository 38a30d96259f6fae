import { heldByHeir } from '../testing/heir';
import { heir, lostCall } from '../testing/lost-call';
import { checkCall } from './check-call';

it("a tool's check is not asked again about a call that a person wants run again: its refusal could settle nothing", async () => {
  const world = await lostCall({ effectClass: 'irreversible', hasCheck: true });
  await world.takeOver('gone');
  const { deadline } = world;
  await world.did({ type: 'HoldDoubt', instance: heir, epoch: 1, deadline, evidence: [] });
  const order = { effect: 'not_applied', evidence: 'looked', rerun: true } as const;
  const ready = await world.did({ type: 'ResolveDoubt', by: 'ann', authentication: 'none', ...order });
  const check = jest.fn(() => Promise.resolve({ ok: false as const, refuse: 'the account is closed' }));
  expect(await checkCall(await heldByHeir(world, { check }), ready)).toBe('passes');
  expect(check).not.toHaveBeenCalled();
});
