import type { EventData } from '@writ/contracts';
import { protocolLimits } from '../limits';
import { commit } from '../testing/call-world';
import {
  acts,
  openedSession,
  startTurn,
  startedTurn,
  step,
  type SessionWorld,
} from '../testing/session-world';
import { claimOf } from '../testing/turn-work';
import { faultsOfModel, refusalCodes } from '../tool-round';
import type { TurnWork } from './work';

const limit = protocolLimits.failedReplies;

/** A reply whose calls are refused with these codes, or run where nothing is said. */
function reply(world: SessionWorld, ...codes: readonly (string | undefined)[]): SessionWorld {
  const number = world.session.replies;
  const calls = codes.map((code, index) => ({
    callId: `c${number}-${index}`,
    ...(code !== undefined && { verdict: 'refused' as const }),
  }));
  const command = step(world, calls);
  if (command.type !== 'RecordStep') throw new Error('no step');
  const codeOf = new Map(calls.map(({ callId }, index) => [callId, codes[index]]));
  const refusedResults = command.refusedResults.map((each): EventData<'ToolResultCommitted'> => {
    const code = codeOf.get(each.callId);
    return code === undefined ? each : { ...each, code };
  });
  return world.did({ ...command, refusedResults });
}

const failing = (world: SessionWorld, times: number, ...codes: readonly string[]): SessionWorld =>
  Array.from({ length: times }).reduce<SessionWorld>((at) => reply(at, ...codes), world);

const next = (world: SessionWorld): TurnWork['do'] | undefined => acts(world.pending())[0]?.do;

describe('patience with a model whose calls cannot be run', () => {
  it('lasts for a bounded number of replies in a row, then the turn ends and says why', () => {
    const almost = failing(startedTurn(), limit - 1, 'unknown_tool', 'truncated');
    expect(next(almost)).toBe('ask_model');
    expect(acts(reply(almost, 'invalid_arguments', 'invalid_arguments').pending())).toEqual([
      {
        do: 'end_turn',
        turnId: 't1',
        end: {
          type: 'TurnFailed',
          code: 'model_failed',
          message: `nothing that the model asked for in ${limit} replies in a row could be run; the last time: invalid_arguments`,
        },
      },
    ]);
  });

  it('begins anew after a reply of which something ran', () => {
    const almost = failing(startedTurn(), limit - 1, 'unknown_tool');
    const mixed = reply(almost, 'unknown_tool', undefined);
    const [ran] = mixed.session.step?.callIds.slice(1) ?? [];
    expect(ran).toBeDefined();
    const staged = mixed.session.calls.get(ran ?? '')?.staged.revision ?? 0;
    const settled = mixed.call(ran ?? '', claimOf(staged - 4)).call(ran ?? '', commit());
    expect(next(settled)).toBe('ask_model');
    expect(next(failing(settled, limit - 1, 'unknown_tool'))).toBe('ask_model');
    expect(next(failing(settled, limit, 'unknown_tool'))).toBe('end_turn');
  });

  it('is not used up by what policy and budgets refuse: that is no fault in what the model sent', () => {
    expect(refusalCodes.filter((code) => !faultsOfModel.has(code))).toEqual([
      'policy_refused',
      'delegate_cap',
      'batch_cap',
      'calls_budget',
    ]);
    for (const code of ['policy_refused', 'calls_budget'])
      expect(next(failing(startedTurn(), limit + 1, code, 'unknown_tool'))).toBe('ask_model');
  });

  it('begins anew with every turn', () => {
    const ended = failing(startedTurn(), limit, 'unknown_tool');
    const [end] = acts(ended.pending());
    if (end?.do !== 'end_turn') throw new Error('the turn goes on');
    const lease = { instance: ended.session.lease?.instance ?? '', epoch: ended.session.lease?.epoch ?? 0 };
    const second = ended
      .did({ type: 'EndTurn', ...lease, turnId: 't1', openCalls: [], end: end.end })
      .did(startTurn({ turnId: 't2' }));
    expect(next(failing(second, limit - 1, 'unknown_tool'))).toBe('ask_model');
    expect(openedSession().pending()).toEqual([]);
  });
});
