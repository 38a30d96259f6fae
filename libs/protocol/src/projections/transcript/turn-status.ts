import type { TurnStatus } from '@writ/contracts';
import type { CallFacts, TurnFacts } from './state';

/** Where a turn stands, from the record alone. */
export function turnStatus(turn: TurnFacts): TurnStatus {
  switch (turn.end?.type) {
    case 'TurnCompleted':
      return 'completed';
    case 'TurnFailed':
      return 'failed';
    case 'TurnInterrupted':
      return 'interrupted';
    case undefined:
      return waitsForPerson(turn) ? 'waiting_for_person' : 'running';
  }
}

/** A held call, or an undecided one whose segment is next: a person is asked only then (protocol 3). */
function waitsForPerson(turn: TurnFacts): boolean {
  const open = turn.steps.at(-1)?.calls.filter((call) => !call.result) ?? [];
  const next = Math.min(...open.map(segmentOf));
  return open.some((call) => call.held || (isUndecided(call) && segmentOf(call) === next));
}

const segmentOf = (call: CallFacts): number => call.staged?.data.segment ?? 0;
const isUndecided = (call: CallFacts): boolean => call.staged?.data.verdict === 'ask' && !call.decision;
