/** What the order of the record itself must say, beside what the audit proves of it: R3, R5, R6, R10. */
import { callStream, leaseStream } from '@writ/contracts';
import { stagedCalls, type Evidence, type Violation } from './history';

const broken = (rule: string, what: string, at: number): Violation => ({ rule, kind: 'safety', what, at });

export function checkOrder(evidence: Evidence): readonly Violation[] {
  return [
    ...checkTurnStarts(evidence),
    ...checkRefusals(evidence),
    ...checkPermissions(evidence),
    ...checkTheGone(evidence),
  ];
}

/** R3: no turn begins before all earlier calls of its session are settled. */
function checkTurnStarts({ events, indexOf }: Evidence): readonly Violation[] {
  const found: Violation[] = [];
  const open = new Map<string, string>();
  for (const event of events) {
    if (event.type === 'ToolCallStaged') open.set(event.data.callId, event.stream);
    if (event.type === 'ToolResultCommitted') open.delete(event.data.callId);
    if (event.type !== 'TurnStarted') continue;
    const earlier = [...open].find(([, stream]) => stream === event.stream);
    if (earlier !== undefined)
      found.push(broken('R3', `a turn began while ${earlier[0]} was open`, indexOf(event.position)));
  }
  return found;
}

/** R5: a refused call has its result in the append that stages it. */
function checkRefusals({ events, ofStream, indexOf }: Evidence): readonly Violation[] {
  return [...stagedCalls(events).values()].flatMap(({ data, stream, revision, position }) => {
    if (data.verdict !== 'refused') return [];
    const behind = ofStream(stream).filter((event) => event.revision > revision);
    const end = behind.findIndex(({ type }) => type !== 'ToolCallStaged' && type !== 'ToolResultCommitted');
    const isSettled = behind
      .slice(0, end < 0 ? undefined : end)
      .some((event) => event.type === 'ToolResultCommitted' && event.data.callId === data.callId);
    return isSettled ? [] : [broken('R5', `${data.callId} was refused without a result`, indexOf(position))];
  });
}

/** R6, R7: a tool's code begins only for a call that is allowed, or granted on record before; never for a refused one. */
function checkPermissions({ events, outside, ofStream, indexOf }: Evidence): readonly Violation[] {
  const staged = stagedCalls(events);
  return outside.begun.flatMap(({ callId, logLength }) => {
    const verdict = staged.get(callId)?.data.verdict;
    const isGranted = ofStream(callStream(callId)).some(
      ({ type, position }) => type === 'ApprovalGranted' && indexOf(position) < logLength,
    );
    if (verdict === 'allowed' || (verdict === 'ask' && isGranted)) return [];
    return [
      broken('R6', `the tool of ${callId} began without leave (${verdict ?? 'not staged'})`, logLength),
    ];
  });
}

/** R10: whoever is on record as gone acts no more, nor do its tools. */
function checkTheGone({ outside, ofStream, indexOf }: Evidence): readonly Violation[] {
  const holders = new Map(outside.begun.map(({ attempt, instance }) => [attempt, instance]));
  return outside.applied.flatMap(({ callId, attempt, logLength }) => {
    const holder = holders.get(attempt);
    const end = holder === undefined ? undefined : ofStream(leaseStream(holder)).at(-1);
    const isGone =
      end?.type === 'LeaseEnded' && end.data.reason === 'gone' && indexOf(end.position) < logLength;
    return isGone
      ? [broken('R10', `${callId} took effect in a process that is on record as gone`, logLength)]
      : [];
  });
}
