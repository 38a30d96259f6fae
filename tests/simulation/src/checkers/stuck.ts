/** Why a run has not settled although nothing fails any more: who would have had to act (protocol 6). */
import { callStream, type WritEvent } from '@writ/contracts';
import { stagedCalls, type Evidence, type Violation } from './history';

const ends: ReadonlySet<string> = new Set(['TurnCompleted', 'TurnFailed', 'TurnInterrupted']);

export function checkStuck(evidence: Evidence, end: number): readonly Violation[] {
  const stuck = (rule: string, what: string): Violation => ({ rule, kind: 'liveness', what, at: end });
  const { events } = evidence;
  const lost = new Set(events.flatMap((event) => (event.type === 'LeaseEnded' ? [event.data.instance] : [])));
  const open = [...stagedCalls(events).keys()].flatMap((callId) => {
    const own = events.filter(({ stream }) => stream === callStream(callId));
    if (own.some(({ type }) => type === 'ToolResultCommitted' || type === 'DoubtHeld')) return [];
    const staged = stagedCalls(events).get(callId);
    if (staged?.data.verdict === 'refused') return [];
    const holding = own.findLast(
      (event): event is WritEvent<'ToolExecutionStarted' | 'ToolExecutionTakenOver'> =>
        event.type === 'ToolExecutionStarted' || event.type === 'ToolExecutionTakenOver',
    );
    if (holding === undefined) return [stuck('§6', `nobody starts or abandons ${callId}`)];
    const { instance } = holding.data;
    return lost.has(instance)
      ? [stuck('§6', `nobody takes ${callId} over from ${instance}`)]
      : [stuck('R10', `${instance} lives and has forgotten ${callId}`)];
  });
  const turns = events.flatMap((event) => (event.type === 'TurnStarted' ? [event] : []));
  const ended = new Set(
    events.flatMap((event) => (ends.has(event.type) && 'turnId' in event.data ? [event.data.turnId] : [])),
  );
  const unended = turns.filter(({ data }) => !ended.has(data.turnId));
  return [
    ...open,
    ...unended.map(({ data }) => stuck('§6', `nobody drives ${data.turnId}, and no call keeps it open`)),
    stuck('settles', 'a turn never ended'),
  ];
}
