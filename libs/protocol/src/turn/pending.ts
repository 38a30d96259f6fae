/**
 * Recovery is a function of state: the same list drives a turn that runs and one that is taken up again after a crash.
 * The owner carries out what it can, in any order and as often as it likes; every item is still decided at the revision
 * read. Wakes, cancels and model calls are repeated with the caller's own backoff.
 */
import { assert } from '../assert';
import { protocolLimits } from '../limits';
import { millisOf } from '../time';
import { callFromStaged, type CallState, type OpenCall } from '../tool-call/state';
import { commitLeftMs, workOnCall, type CallContext } from './call-work';
import type { OwnerFacts } from './facts';
import type { AbandonReason, SessionState, Step, TurnState } from './state';
import { endOfTurn, stopOf, wallEndOf } from './stop';
import type { TurnWork } from './work';

/**
 * `calls` holds the state of every call of the newest step (`session.step`); those refused while staging may be left
 * out. Empty where `facts.instance` does not hold the session.
 */
export function pendingTurn(
  session: SessionState,
  calls: ReadonlyMap<string, CallState>,
  facts: OwnerFacts,
): TurnWork[] {
  const { turn, lease } = session;
  if (lease === null || lease.instance !== facts.instance) return [];
  if (turn === null) return [{ do: 'release', why: 'calls_settled' }];
  const step = session.step?.turnId === turn.turnId ? session.step : null;
  const round = roundOf(session, step, calls);
  const open = round.filter((call): call is OpenCall => call.status !== 'settled');
  if (step === null || open.length === 0) return workBetweenRounds(session, turn, facts);
  if (turn.status === 'open' && open.some((call) => resultIsLost(call, facts)))
    return [{ do: 'end_turn', turnId: turn.turnId, end: resultNotCommitted }];
  return workInRound({ session, turn, step, round, open, facts, ownedSinceMs: millisOf(lease.acquiredAt) });
}

const resultNotCommitted = {
  type: 'TurnFailed',
  code: 'session_persistence_failed',
  cause: 'result_not_committed',
  message: 'a running call was not settled by its deadline and the grace after it',
} as const;

/** The calls of a step in the model's order. */
function roundOf(
  session: SessionState,
  step: Step | null,
  calls: ReadonlyMap<string, CallState>,
): readonly CallState[] {
  return (step?.callIds ?? []).map((callId) => {
    const known = calls.get(callId);
    if (known !== undefined) return known;
    const call = session.calls.get(callId);
    assert(call?.settledInSession !== undefined, 'the state of a call of the newest step is missing');
    return callFromStaged(call.staged, call.settledInSession);
  });
}

function workBetweenRounds(session: SessionState, turn: TurnState, facts: OwnerFacts): TurnWork[] {
  if (turn.status !== 'open') return [{ do: 'release', why: 'calls_settled' }];
  const end = endOfTurn(session, turn, facts);
  if (end !== undefined) return [{ do: 'end_turn', turnId: turn.turnId, end }];
  return [{ do: 'ask_model', step: turn.steps + 1 }, lookAgain([wallEndOf(turn)], facts)];
}

/** R3. Only a holder that is known to live can have failed to commit; an orphan's row in protocol 6 is another. */
function resultIsLost(call: OpenCall, facts: OwnerFacts): boolean {
  return (
    call.status === 'running' && facts.holderLease(call.holder) === 'live' && commitLeftMs(call, facts) <= 0
  );
}

interface Round {
  readonly session: SessionState;
  readonly turn: TurnState;
  readonly step: Step;
  readonly round: readonly CallState[];
  readonly open: readonly OpenCall[];
  readonly facts: OwnerFacts;
  readonly ownedSinceMs: number;
}

function workInRound({ session, turn, step, round, open, facts, ownedSinceMs }: Round): TurnWork[] {
  const stop = stopOf({ turn, step, calls: round, facts });
  const segment = Math.min(...open.map((call) => call.terms.segment));
  const context: CallContext = {
    session,
    facts,
    stop: stop.why,
    segment,
    segmentSinceMs: Math.max(ownedSinceMs, millisOf(step.at), ...resultsBefore(segment, round)),
    settlesFirst: session.lease?.why === 'takeover' && open.some((call) => hangs(call, facts)),
  };
  const due: number[] = [...stop.dueMs];
  const work: TurnWork[] = [];
  const abandon = new Map<AbandonReason, string[]>();
  for (const call of open) {
    const next = workOnCall(call, context);
    work.push(...next.work);
    if (next.dueMs !== undefined) due.push(next.dueMs);
    if (next.abandon !== undefined)
      abandon.set(next.abandon, [...(abandon.get(next.abandon) ?? []), call.callId]);
  }
  const abandons = [...abandon].map(([why, callIds]): TurnWork => ({ do: 'abandon', callIds, why }));
  return [...abandons, ...work, lookAgain(due, facts)];
}

/** When the results of the segments before were committed. */
const resultsBefore = (segment: number, round: readonly CallState[]): number[] =>
  round.flatMap((call) =>
    call.status === 'settled' && (call.staged.data.segment ?? segment) < segment
      ? [millisOf(call.result.at)]
      : [],
  );

/** Started, and neither held nor running under a live lease (R10). */
const hangs = (call: OpenCall, facts: OwnerFacts): boolean =>
  call.status === 'reconciling' || (call.status === 'running' && facts.holderLease(call.holder) !== 'live');

function lookAgain(dueMs: readonly number[], { nowMs }: OwnerFacts): TurnWork {
  const soonest = Math.min(...dueMs.filter((due) => due > nowMs).map((due) => due - nowMs));
  return { do: 'look_again', inMs: Math.min(soonest, protocolLimits.lookAgainMs) };
}
