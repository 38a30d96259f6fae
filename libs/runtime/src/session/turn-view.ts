import type { Turn } from '@writ/contracts';
import { turnStatus } from '@writ/protocol';
import type { SessionMemory } from './session-memory';

/** One turn as the HTTP interface tells it, from acknowledged events only. */
export function turnView({ session, calls }: SessionMemory, turnId: string): Turn | undefined {
  const turn = session.turns.get(turnId);
  const standing = turnStatus(session, calls, turnId);
  if (turn === undefined || standing === undefined) return undefined;
  const { input, startedAt } = turn;
  return {
    turnId,
    sessionId: session.sessionId,
    status: standing.status,
    input,
    ...(turn.status === 'completed' ? { finalText: turn.finalText } : {}),
    ...(turn.status === 'failed' ? { failure: turn.failure } : {}),
    openCalls: [...standing.openCalls],
    startedAt,
    ...(turn.status === 'open' ? {} : { endedAt: turn.endedAt }),
  };
}
