import type { EventData, WritEvent } from '@writ/contracts';
import {
  callsOf,
  finding,
  isBefore,
  isType,
  streamsOf,
  type Finding,
  type History,
  type RecordedCall,
  type RuleReport,
} from './history';

/**
 * A2: every settled call has exactly one result, of a kind that can be, and nothing after it but late evidence; nothing
 * is settled that was not staged; no turn starts while a call is not settled (R3, R4).
 */
export function checkA2(history: History): RuleReport {
  const calls = callsOf(history);
  const results = new Map(calls.map((call) => [call.callId, call.results]));
  return {
    checked: calls.filter((call) => call.results.length > 0).length,
    findings: [
      ...calls.flatMap((call) => [
        ...checkCount(call),
        ...call.results.flatMap((result) => checkResult(call, result)),
      ]),
      ...[...streamsOf(history, 'session-').values()].flatMap((events) => checkTurns(events, results)),
    ],
  };
}

function checkCount(call: RecordedCall): Finding[] {
  const { callId, results, events, staged } = call;
  const findings: Finding[] = [];
  if (results.length > 1)
    findings.push(finding('A2', `call ${callId} has ${results.length} results`, results));
  const settledAt = events.findIndex((event) => event.type === 'ToolResultCommitted');
  const after = settledAt === -1 ? [] : events.slice(settledAt + 1);
  const late = after.filter(isType('LateResultRecorded', 'LateDecisionRecorded'));
  const more = after.filter(
    (event) => !late.some(({ id }) => id === event.id) && event.type !== 'ToolResultCommitted',
  );
  if (more.length > 0) findings.push(finding('A2', `call ${callId} went on after its result`, more));
  const refused = staged.find((event) => event.data.verdict === 'refused');
  if (refused && results.length === 0) {
    findings.push(finding('A2', `call ${callId} was refused and has no result`, [refused]));
  }
  return findings;
}

function checkResult(call: RecordedCall, result: WritEvent<'ToolResultCommitted'>): Finding[] {
  const { callId } = call;
  const staged = call.staged.find((event) => isBefore(event, result));
  const broken = (message: string): Finding[] => [
    finding('A2', `call ${callId} ${message}`, [result, staged]),
  ];
  if (!staged) return broken('was settled and never staged');
  const place = staged.data.verdict === 'refused' ? `session-${staged.data.sessionId}` : `toolcall-${callId}`;
  if (result.stream !== place) return broken('was settled in a stream that is not the place for it');
  const { outcome, effect } = result.data;
  if (staged.data.verdict === 'refused' && outcome !== 'refused')
    return broken(`was refused and settled as ${outcome}`);
  const problem = impossible(result.data, staged.data.effectClass === 'read');
  return problem ? broken(`was settled as ${outcome} with effect ${effect}: ${problem}`) : [];
}

/** The table of outcomes and effects (protocol 2), as far as the record alone can tell. */
function impossible(
  { outcome, effect, readback }: EventData<'ToolResultCommitted'>,
  reads: boolean,
): string | undefined {
  const neverRan = ['refused', 'denied', 'expired', 'skipped'].includes(outcome);
  if (neverRan) return effect === 'none' ? undefined : 'what never ran has no effect';
  if (reads) return effect === 'none' ? undefined : 'a read tool has no effect';
  if (outcome === 'succeeded') return effect === 'applied' ? undefined : 'a success has applied';
  if (effect === 'applied' && readback?.effect !== 'applied') return 'nothing says that it applied';
  return readback?.effect === 'applied' && effect !== 'applied' ? 'its readback says applied' : undefined;
}

/** No turn starts before every call staged so far is settled. */
function checkTurns(
  sessionEvents: readonly WritEvent[],
  results: ReadonlyMap<string, RecordedCall['results']>,
): Finding[] {
  let open: WritEvent<'ToolCallStaged'>[] = [];
  return sessionEvents.flatMap((event) => {
    if (event.type === 'ToolCallStaged') open.push(event);
    if (event.type !== 'TurnStarted') return [];
    open = open.filter(
      (staged) => !results.get(staged.data.callId)?.some((result) => isBefore(result, event)),
    );
    return open.map((staged) =>
      finding('A2', `turn ${event.data.turnId} started while call ${staged.data.callId} was open`, [
        staged,
        event,
      ]),
    );
  });
}
