/** Under whose lease tools were started, what their own checks had said, and what became of their results: R6, R8, R10, R16. */
import { callStream } from '@writ/contracts';
import { simulationLimits } from '../limits';
import type { Begun } from '../world/outside';
import type { OfTool } from '../world/witness';
import type { World } from '../world/world';
import type { Evidence, Violation } from './history';

const broken = (rule: string, what: string, at: number): Violation => ({ rule, kind: 'safety', what, at });

export function checkAttempts(world: World, evidence: Evidence): readonly Violation[] {
  return [
    ...checkStanding(world, evidence),
    ...checkRefused(world),
    ...checkUnknown(world, evidence),
    ...checkReturned(world, evidence),
  ];
}

/** When its executor asked for the run in which a tool's code began. */
const askedAt = ({ witness }: World, { callId, epoch, logLength }: Begun): OfTool | undefined =>
  witness.runs.findLast((run) => run.callId === callId && run.epoch === epoch && run.logLength <= logLength);

/** R16 and R10: when a run was asked for its epoch was the call's newest, and the lease of its holder had not ended. */
function checkStanding(world: World, { events, ofStream, indexOf }: Evidence): readonly Violation[] {
  const ends = new Map(
    events.flatMap((event) => (event.type === 'LeaseEnded' ? [[event.data.instance, event] as const] : [])),
  );
  return world.outside.begun.flatMap((begun) => {
    const { callId, epoch, logLength } = begun;
    const asked = askedAt(world, begun)?.logLength ?? logLength;
    const own = ofStream(callStream(callId));
    const holding = own.find(({ revision }) => revision === epoch);
    if (holding?.type !== 'ToolExecutionStarted' && holding?.type !== 'ToolExecutionTakenOver') return [];
    const { instance } = holding.data;
    const heir = own.find(({ type, revision }) => type === 'ToolExecutionTakenOver' && revision > epoch);
    if (heir !== undefined && indexOf(heir.position) < asked)
      return [broken('R16', `${callId} was run in epoch ${epoch}, which its heir had superseded`, logLength)];
    const end = ends.get(instance);
    return end !== undefined && indexOf(end.position) < asked
      ? [broken('R10', `${callId} was run by ${instance}, whose lease had ended`, logLength)]
      : [];
  });
}

/** R6: what a tool's own check has refused is not run by who heard that. */
function checkRefused(world: World): readonly Violation[] {
  return world.outside.begun.flatMap((begun) => {
    const asked = askedAt(world, begun);
    const heard = world.witness.checks.findLast(
      ({ callId, by, atMs }) => callId === begun.callId && by === asked?.by && atMs <= asked.atMs,
    );
    return heard?.ok === false
      ? [broken('R6', `${begun.callId} was run although its tool's check had refused it`, begun.logLength)]
      : [];
  });
}

/** R10: who lives asks again what became of a claim or a result until it knows. */
function checkUnknown({ scheduler, sockets, witness }: World, { events }: Evidence): readonly Violation[] {
  const toldBeforeMs = scheduler.nowMs - simulationLimits.tellsWithinMs;
  return [...witness.unknown.values()].flatMap(({ stream, by, atMs }) =>
    sockets.get(`${by}.sock`)?.isDead === false && atMs < toldBeforeMs
      ? [broken('R10', `${by} has never found out what became of its append to ${stream}`, events.length)]
      : [],
  );
}

/** R8 and R10: who lives forgets no result; it is committed, or kept as evidence where another was first. */
function checkReturned({ scheduler, sockets, witness }: World, { events, ofStream }: Evidence) {
  const heardBeforeMs = scheduler.nowMs - simulationLimits.tellsWithinMs;
  return witness.returns.flatMap(({ callId, epoch, by, atMs }) => {
    const lives = sockets.get(`${by}.sock`)?.isDead === false;
    if (!lives || atMs > heardBeforeMs) return [];
    const isKept = ofStream(callStream(callId)).some(
      ({ type, data }) =>
        (type === 'ToolResultCommitted' || type === 'LateResultRecorded') &&
        'epoch' in data &&
        data.epoch === epoch,
    );
    return isKept
      ? []
      : [broken('R8', `what ${callId} returned in epoch ${epoch} is nowhere on record`, events.length)];
  });
}
