import { refused, type Refused } from './refused';
import type { SessionMemory } from './session-memory';

/** Nothing is left to do for its owner, who is about to let go. */
export const isLeft = (memory: SessionMemory): boolean =>
  memory.session.lease === null && memory.openCalls().length === 0;

/** Why a turn cannot begin now: one is open, or calls of an ended one are. */
export function inTheWay(memory: SessionMemory): Refused {
  const { turn } = memory.session;
  if (turn === null || turn.status === 'open')
    return refused('turn_in_progress', 'a turn of this session has not ended yet');
  const calls = memory.openCalls().map(({ callId }) => callId);
  return refused('earlier_calls_open', 'calls of an earlier turn are not settled yet', {
    calls,
  });
}
