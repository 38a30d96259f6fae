/** Who was woken, who was given up, who was not heard: R2, R10, protocol 2 and 6. */
import { callStream, sessionStream, type WritEvent } from '@writ/contracts';
import { simulationLimits } from '../limits';
import type { World } from '../world/world';
import { stagedCalls, type Evidence, type Staged, type Violation } from './history';

const broken = (rule: string, what: string, at: number): Violation => ({ rule, kind: 'safety', what, at });

export function checkWakes(world: World, evidence: Evidence): readonly Violation[] {
  return [
    ...checkDispatch(world, evidence),
    ...checkAbandoned(world, evidence),
    ...checkSettledByOwner(evidence),
    ...checkInterrupts(world, evidence),
  ];
}

/** R2: nothing is dispatched before it is staged. R10: a new owner wakes nothing while a call of its predecessor's hangs. */
function checkDispatch({ witness }: World, evidence: Evidence): readonly Violation[] {
  const staged = stagedCalls(evidence.events);
  return witness.woken.flatMap(({ callId, logLength }) => {
    const own = staged.get(callId);
    if (own === undefined || evidence.indexOf(own.position) >= logLength)
      return [broken('R2', `${callId} was dispatched before it was staged`, logLength)];
    const hanging = hangingBeside(evidence, own, logLength);
    return hanging === undefined
      ? []
      : [broken('R10', `${callId} was woken by a new owner while ${hanging} hung in the air`, logLength)];
  });
}

/** A call of the same step whose holder's lease had ended before the session was taken over, and which nobody has settled since. */
function hangingBeside({ events, indexOf }: Evidence, own: Staged, logLength: number): string | undefined {
  const before = events.filter(({ position }) => indexOf(position) < logLength);
  const lease = before.findLast(
    (event): event is WritEvent<'SessionLeaseAcquired'> =>
      event.type === 'SessionLeaseAcquired' && event.stream === own.stream,
  );
  if (lease?.data.why !== 'takeover') return undefined;
  const isStarted = before.some(
    ({ stream, type }) => stream === callStream(own.data.callId) && isStart(type),
  );
  if (isStarted) return undefined;
  const siblings = before.filter(
    (event): event is Staged =>
      event.type === 'ToolCallStaged' &&
      event.stream === own.stream &&
      event.data.turnId === own.data.turnId &&
      event.data.step === own.data.step,
  );
  return siblings.find(({ data }) => hung(before, data.callId, lease))?.data.callId;
}

const isStart = (type: string): boolean =>
  type === 'ToolExecutionStarted' || type === 'ToolExecutionTakenOver';

function hung(before: readonly WritEvent[], callId: string, lease: WritEvent): boolean {
  const at = before.indexOf(lease);
  const own = before.filter(({ stream }) => stream === callStream(callId));
  const holding = own.findLast(
    (event): event is WritEvent<'ToolExecutionStarted' | 'ToolExecutionTakenOver'> =>
      isStart(event.type) && before.indexOf(event) < at,
  );
  if (holding === undefined) return false;
  const isOver = own.some(
    (event) =>
      event.revision > holding.revision &&
      ['ToolResultCommitted', 'DoubtHeld', 'DoubtResolved', 'ToolExecutionStarted'].includes(event.type),
  );
  if (isOver) return false;
  return before.some(
    (event, index) =>
      event.type === 'LeaseEnded' && event.data.instance === holding.data.instance && index < at,
  );
}

/** Protocol 6: where no message is lost and every executor is up, no call is given up because nobody would take it. */
function checkAbandoned({ marks }: World, { events, indexOf }: Evidence): readonly Violation[] {
  return events.flatMap((event) => {
    if (event.type !== 'CallsAbandoned') return [];
    const { why, callIds } = event.data;
    const from = why === 'unclaimed' ? marks.woken : why === 'holder_lost' ? marks.takenOver : undefined;
    const at = indexOf(event.position);
    return from === undefined || at < from
      ? []
      : [broken('§6', `${callIds.join(', ')} were given up as ${why} while executors stood idle`, at)];
  });
}

/** Protocol 2: what an owner settles itself it has abandoned on record, which one that is superseded cannot. */
function checkSettledByOwner({ events, indexOf }: Evidence): readonly Violation[] {
  const abandoned = new Map<string, string>();
  return events.flatMap((event) => {
    if (event.type === 'CallsAbandoned')
      for (const callId of event.data.callIds) abandoned.set(callId, event.position);
    const isOwners =
      event.type === 'ToolResultCommitted' &&
      event.stream.startsWith('toolcall-') &&
      event.metadata.actor.service === 'turn-orchestrator';
    if (!isOwners || abandoned.has(event.data.callId)) return [];
    const { callId } = event.data;
    return [broken('§2', `${callId} was settled by its owner and never abandoned`, indexOf(event.position))];
  });
}

/** Protocol 2: an owner reads the control stream at its poll at the latest, so an interrupted turn asks no model for long. */
function checkInterrupts({ marks: { calmFromMs }, witness }: World, { events, asked, indexOf }: Evidence) {
  const seen = [...asked, ...witness.runs, ...witness.returns].sort((a, b) => a.atMs - b.atMs);
  return events.flatMap((wish) => {
    if (wish.type !== 'InterruptRequested' || calmFromMs === undefined) return [];
    const { sessionId, turnId } = wish.data;
    // Clocks on record may be off by hours: it was there when something was seen that came after it.
    const next = seen.find(({ logLength }) => logLength > indexOf(wish.position))?.atMs;
    const wishedMs = Math.max(calmFromMs, next ?? Number.POSITIVE_INFINITY);
    return asked.flatMap(({ sessionId: of, logLength, atMs }) => {
      if (of !== sessionId || atMs < wishedMs + simulationLimits.heardWithinMs) return [];
      const turn = events.findLast(
        ({ type, stream, position }) =>
          type === 'TurnStarted' && stream === sessionStream(sessionId) && indexOf(position) < logLength,
      );
      return turn?.type === 'TurnStarted' && turn.data.turnId === turnId
        ? [broken('§2', `${turnId} asked the model long after its interrupt was on record`, logLength)]
        : [];
    });
  });
}
