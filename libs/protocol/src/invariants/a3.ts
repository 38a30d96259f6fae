import type { WritEvent } from '@writ/contracts';
import {
  finding,
  isBefore,
  roundsOf,
  streamsOf,
  type Finding,
  type History,
  type RecordedRound,
  type RuleReport,
} from './history';

/**
 * A3: every result that a message names was committed at a smaller position with that digest, and it names one
 * for every call of the step before, in an earlier turn as well.
 */
export function checkA3(history: History): RuleReport {
  const places = new Map(history.map((event) => [`${event.stream}@${event.revision}`, event]));
  const rounds = [...streamsOf(history, 'session-').values()].map(roundsOf);
  return {
    checked: rounds.flat().reduce((sum, { message }) => sum + message.data.results.length, 0),
    findings: rounds.flatMap((of) =>
      of.flatMap((round, index) => [...checkNamed(round, places), ...checkAll(round, of[index - 1])]),
    ),
  };
}

function checkNamed({ message }: RecordedRound, places: ReadonlyMap<string, WritEvent>): Finding[] {
  return message.data.results.flatMap(({ callId, stream, revision, digest }) => {
    const result = places.get(`${stream}@${revision}`);
    const broken = (text: string): Finding[] => [
      finding('A3', `a message names a result of call ${callId} that ${text}`, [message, result]),
    ];
    if (result?.type !== 'ToolResultCommitted' || result.data.callId !== callId)
      return broken('is not on record');
    if (!isBefore(result, message)) return broken('was committed after it');
    return result.data.digest === digest ? [] : broken('was committed with another digest');
  });
}

function checkAll({ message }: RecordedRound, before: RecordedRound | undefined): Finding[] {
  const named = message.data.results.map(({ callId }) => callId);
  const asked = (before?.staged ?? []).map((staged) => staged.data.callId);
  const left = asked.filter((callId) => named.filter((name) => name === callId).length !== 1);
  const strangers = named.filter((callId) => !asked.includes(callId));
  return [...left, ...strangers].map((callId) =>
    finding('A3', `a message does not name one result for call ${callId} of the step before and no other`, [
      message,
      before?.message,
    ]),
  );
}
