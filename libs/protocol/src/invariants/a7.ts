import type { WritEvent } from '@writ/contracts';
import {
  callsOf,
  finding,
  isBefore,
  isType,
  type Finding,
  type History,
  type RecordedCall,
  type RuleReport,
} from './history';

/** A7: refused, denied, expired and skipped calls never started; a segment starts after every result of those before it. */
export function checkA7(history: History): RuleReport {
  const calls = callsOf(history);
  const rounds = new Map<string, RecordedCall[]>();
  for (const call of calls) {
    const [staged] = call.staged;
    if (staged === undefined) continue;
    const key = `${staged.stream} ${staged.data.turnId} ${staged.data.step}`;
    rounds.set(key, [...(rounds.get(key) ?? []), call]);
  }
  return {
    checked: calls.length,
    findings: [...calls.flatMap(checkNeverRan), ...[...rounds.values()].flatMap(checkSegments)],
  };
}

const neverRan = new Set(['refused', 'denied', 'expired', 'skipped']);
const startsOf = (call: RecordedCall): WritEvent<'ToolExecutionStarted'>[] =>
  call.events.filter(isType('ToolExecutionStarted'));

function checkNeverRan(call: RecordedCall): Finding[] {
  const [start] = startsOf(call);
  const result = call.results.find((event) => neverRan.has(event.data.outcome));
  return start && result
    ? [
        finding('A7', `call ${call.callId} was started and settled as ${result.data.outcome}`, [
          start,
          result,
        ]),
      ]
    : [];
}

function checkSegments(round: readonly RecordedCall[]): Finding[] {
  const segmentOf = (call: RecordedCall): number => call.staged[0]?.data.segment ?? -1;
  return round.flatMap((call) =>
    startsOf(call).flatMap((start) => {
      const early = round
        .filter((other) => segmentOf(other) >= 0 && segmentOf(other) < segmentOf(call))
        .find((other) => !other.results.some((result) => isBefore(result, start)));
      const text = `call ${call.callId} was started before call ${early?.callId} of an earlier segment was settled`;
      return early ? [finding('A7', text, [start, ...early.results])] : [];
    }),
  );
}
