/** What the outside is told about a turn (interfaces.md, turn). */
import type { TurnStatus } from '@writ/contracts';
import { callFromStaged, type CallState, type OpenCall } from '../tool-call/state';
import type { SessionState } from './state';

export interface TurnStanding {
  readonly status: TurnStatus;
  /** Calls of the turn that are not settled, in call order. */
  readonly openCalls: readonly string[];
}

/**
 * `calls` as for `pendingTurn`. Without `turnId` the newest turn is meant; undefined where there is no such turn. A
 * call of the newest step whose state is not given counts as its staged event leaves it: open.
 */
export function turnStatus(
  session: SessionState,
  calls: ReadonlyMap<string, CallState>,
  turnId: string | undefined = session.turn?.turnId,
): TurnStanding | undefined {
  const turn = turnId === undefined ? undefined : session.turns.get(turnId);
  if (turn === undefined) return undefined;
  const open = session.step?.turnId === turn.turnId ? openCallsOf(session, calls) : [];
  const openCalls = open.map(({ callId }) => callId);
  if (turn.status !== 'open') return { status: turn.status, openCalls };
  // A person is asked once the call's segment is next (protocol 3).
  const segment = Math.min(...open.map((call) => call.terms.segment));
  const waits = open.some(
    (call) =>
      call.status === 'held' || (call.status === 'awaiting_approval' && call.terms.segment === segment),
  );
  return { status: waits ? 'waiting_for_person' : 'running', openCalls };
}

function openCallsOf(session: SessionState, calls: ReadonlyMap<string, CallState>): readonly OpenCall[] {
  return (session.step?.callIds ?? []).flatMap((callId) => {
    const staged = session.calls.get(callId);
    const call = calls.get(callId) ?? (staged && callFromStaged(staged.staged, staged.settledInSession));
    return call === undefined || call.status === 'settled' ? [] : [call];
  });
}
